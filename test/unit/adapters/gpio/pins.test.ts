import assert from 'node:assert/strict';
import { test } from 'uvu';
import { simulatedPins } from '../../../../src/adapters/gpio/simulated.js';
import { pinsOff, unavailablePins } from '../../../../src/adapters/gpio/unavailable.js';
import { MotorEnable } from '../../../../src/carts/safety/motor-enable.js';

test('simulated pins start with the E-stop healthy and every output off', () => {
  const pins = simulatedPins();
  assert.deepEqual(
    [pins.kind, pins.readEstopHealthy(), pins.enable, pins.led],
    ['simulated', true, false, false],
  );
});

test('a press and a release each emit one edge, after the level has changed', () => {
  const pins = simulatedPins();
  const levels: boolean[] = [];
  const cancel = pins.onEstopEdge(() => levels.push(pins.readEstopHealthy()));
  pins.press();
  pins.press();
  pins.release();
  cancel();
  pins.press();
  assert.deepEqual(levels, [false, true]);
});

test('a pulse is read as pressed at its first edge', () => {
  const pins = simulatedPins();
  const levels: boolean[] = [];
  pins.onEstopEdge(() => levels.push(pins.readEstopHealthy()));
  pins.pulse();
  assert.deepEqual(levels, [false, true]);
});

test('a glitch causes two edges and is never read as pressed', () => {
  const pins = simulatedPins();
  const levels: boolean[] = [];
  pins.onEstopEdge(() => levels.push(pins.readEstopHealthy()));
  pins.glitch();
  assert.deepEqual(levels, [true, true]);
});

test('every read throws while failRead is set', () => {
  const pins = simulatedPins();
  pins.failRead(true);
  assert.throws(() => pins.readEstopHealthy(), { code: 'SAFETY_UNAVAILABLE' });
  pins.failRead(false);
  assert.equal(pins.readEstopHealthy(), true);
});

test('reports every write to the enable output and switches the output off on close', async () => {
  const levels: boolean[] = [];
  const pins = simulatedPins({ onEnable: (on) => levels.push(on) });
  pins.writeEnable(true);
  pins.writeEnable(false);
  pins.writeEnable(true);
  await pins.close();
  assert.deepEqual([levels, pins.enable], [[true, false, true], false]);
});

// Fault case 14
test('motor power is off within 200 ms of the last pulse, whether the enable output is left high or low', () => {
  for (const leftAt of [true, false]) {
    let nowMs = 0;
    const pins = simulatedPins({ now: () => nowMs });
    const power = new MotorEnable(pins, () => 'pulse');
    power.switchOn();
    do {
      nowMs += 50;
      power.tick();
      assert.equal(pins.powered, true);
    } while (nowMs < 1000 || pins.enable !== leftAt);
    // Simulates a process that was killed, so that the output keeps its last level.
    nowMs += 201;
    assert.deepEqual([pins.enable, pins.powered], [leftAt, false]);
  }
});

test('a disabled E-stop input is read as healthy', () => {
  assert.equal(pinsOff().readEstopHealthy(), true);
});

test('disabled pins have the kind "none"', () => {
  assert.equal(pinsOff().kind, 'none');
});

test('reading an unavailable pin throws the reason for its unavailability, and writes are ignored', () => {
  const pins = unavailablePins({
    kind: 'onoff',
    reason: 'GPIO 17 is in use by another driver',
    hint: 'Free it.',
  });
  assert.throws(() => pins.readEstopHealthy(), /GPIO 17 is in use/);
  pins.writeEnable(true);
});

test.run();
