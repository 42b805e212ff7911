import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { MotorEnable } from '../../../../src/carts/safety/motor-enable.js';
import { FakePins } from '../../../helpers/fake-pins.js';

const test = suite('motor enable');

test('the motor enable can be switched on after a failed write', () => {
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

test.run();
