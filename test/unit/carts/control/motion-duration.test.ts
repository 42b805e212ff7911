import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { maxDurationMs, plannedMs } from '../../../../src/carts/control/motion-duration.js';

const test = suite('motion duration');

const LIMITS = { accelMmps2: 500, decelMmps2: 500 };
const drive = (distanceMm: number, angleDdeg = 0) => ({ distanceMm, angleDdeg, maxSpeedMmps: 500 });

test('calculates the duration of a long motion from a trapezoidal speed profile', () => {
  assert.equal(plannedMs(drive(1000), LIMITS), 3000);
  assert.equal(plannedMs(drive(-1000), LIMITS), 3000);
});

test('calculates the duration from a triangular speed profile when the motion is too short to reach full speed', () => {
  assert.equal(plannedMs(drive(125), LIMITS), 1000);
});

test('adds 2 s to the duration of a drive for a 90-degree turn in place', () => {
  assert.equal(plannedMs(drive(0, 900), LIMITS), 2000);
  assert.equal(plannedMs(drive(1000, -900), LIMITS), 5000);
});

test('the time limit of a slowly decelerating motion is 1.5 times its duration plus 2 s', () => {
  const motion = { distanceMm: 1000, angleDdeg: 0, maxSpeedMmps: 1000 };
  const limits = { accelMmps2: 1000, decelMmps2: 50 };
  // The cart accelerates for 0.309 s to 309 mm/s, then brakes for 6.172 s.
  assert.equal(plannedMs(motion, limits), 6481);
  assert.equal(maxDurationMs(motion, limits), Math.round(1.5 * 6481 + 2000));
});

test.run();
