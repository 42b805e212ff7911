import assert from 'node:assert/strict';
import { test } from 'uvu';
import { simulatedPins } from '../../../../src/adapters/gpio/simulated.js';
import { pinsOff, unavailablePins } from '../../../../src/adapters/gpio/unavailable.js';
import { MotorPower } from '../../../../src/carts/safety/motor-enable.js';

test('simulated pins are healthy at the start, with every output off', () => {
  const pins = simulatedPins();
  assert.deepEqual(
    [pins.kind, pins.readEstopHealthy(), pins.enable, pins.led],
    ['simulated', true, false, false],
  );
});

test('pressing and releasing tell one edge each, with the new level readable in it', () => {
  const pins = simulatedPins();
  const seen: boolean[] = [];
  const cancel = pins.onEstopEdge(() => seen.push(pins.readEstopHealthy()));
  pins.press();
  pins.press();
  pins.release();
  cancel();
  pins.press();
  assert.deepEqual(seen, [false, true]);
});

test('a pulse is seen as pressed by its first edge, a glitch by none', () => {
  const pins = simulatedPins();
  const seen: boolean[] = [];
  pins.onEstopEdge(() => seen.push(pins.readEstopHealthy()));
  pins.pulse();
  pins.glitch();
  assert.deepEqual(seen, [false, true, true, true]);
});

test('a reading can be made to fail, and to work again', () => {
  const pins = simulatedPins();
  pins.failRead(true);
  assert.throws(() => pins.readEstopHealthy(), { code: 'SAFETY_UNAVAILABLE' });
  pins.failRead(false);
  assert.equal(pins.readEstopHealthy(), true);
});

test('every level of the enable output is told, and it is off after the end', async () => {
  const levels: boolean[] = [];
  const pins = simulatedPins({ onEnable: (on) => levels.push(on) });
  pins.writeEnable(true);
  pins.writeEnable(false);
  pins.writeEnable(true);
  await pins.close();
  assert.deepEqual([levels, pins.enable], [[true, false, true], false]);
});

// Fault case 14
test('a pulsed enable output drops within 200 ms of the last pulse, whatever level is left behind', () => {
  for (const leftAt of [true, false]) {
    let nowMs = 0;
    const pins = simulatedPins({ now: () => nowMs });
    const power = new MotorPower(pins, () => 'pulse');
    power.switchOn();
    do {
      nowMs += 50;
      power.tick();
      assert.equal(pins.powered, true);
    } while (nowMs < 1000 || pins.enable !== leftAt);
    // The process is gone: nobody writes the output any more, and it keeps its level.
    nowMs += 201;
    assert.deepEqual([pins.enable, pins.powered], [leftAt, false]);
  }
});

test('pins that are off read as healthy and say that there are none', () => {
  const pins = pinsOff();
  assert.deepEqual([pins.kind, pins.readEstopHealthy()], ['none', true]);
});

test('unavailable pins throw their reason at every reading, and take outputs in silence', () => {
  const pins = unavailablePins({
    kind: 'onoff',
    reason: 'GPIO 17 is in use by another driver',
    hint: 'Free it.',
  });
  assert.throws(() => pins.readEstopHealthy(), /GPIO 17 is in use/);
  pins.writeEnable(true);
});

test.run();
