import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { MotorEnable } from '../../../../src/carts/safety/motor-enable.js';
import { FakePins } from '../../../helpers/fake-pins.js';

const test = suite('motor enable');

test('motor enable can be switched on after a failed write', () => {
  const pins = new FakePins();
  const write = pins.writeEnable.bind(pins);
  pins.writeEnable = () => {
    throw new Error('EIO');
  };
  const enable = new MotorEnable(pins, () => 'level');
  assert.throws(() => enable.switchOn(), /EIO/);
  assert.equal(enable.on, false);
  pins.writeEnable = write;
  enable.switchOn();
  assert.deepEqual([enable.on, pins.levels], [true, [true]]);
});

test('motor enable stays off after a failed write, or if it is switched off during the write', () => {
  for (const isThrowing of [true, false]) {
    for (const fails of ['switchOn', 'tick'] as const) {
      const pins = new FakePins();
      const write = pins.writeEnable.bind(pins);
      const enable = new MotorEnable(pins, () => 'pulse');
      if (fails === 'tick') {
        enable.switchOn();
        enable.tick();
      }
      pins.writeEnable = (on) => {
        pins.writeEnable = write;
        // The level may have changed despite the error.
        write(on);
        if (isThrowing) throw new Error('EIO');
        enable.switchOff();
      };
      if (isThrowing) assert.throws(() => enable[fails](), /EIO/);
      else enable[fails]();
      enable.tick();
      enable.tick();
      assert.deepEqual([enable.on, pins.enable], [false, false], `${fails} ${isThrowing}`);
      enable.switchOn();
      assert.deepEqual([enable.on, pins.enable], [true, true], `${fails} ${isThrowing}`);
    }
  }
});

test('motor enable is off after it has been switched off while it was being switched on', () => {
  const pins = new FakePins();
  const write = pins.writeEnable.bind(pins);
  const enable = new MotorEnable(pins, () => 'level');
  pins.writeEnable = (on) => {
    if (on) enable.switchOff();
    write(on);
  };
  enable.switchOn();
  assert.deepEqual([enable.on, pins.enable], [false, false]);
});

test.run();
