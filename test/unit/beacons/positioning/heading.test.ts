import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { bearingOf, odometerRotation, type TrackPoint } from '../../../../src/beacons/positioning/heading.js';
import { randomFrom } from '../../../helpers/random.js';

const test = suite('heading from beacons and odometry');

/**
 * Returns a track of `metres` along the odometer's x axis. The beacon positions are rotated, shifted and
 * noisy.
 */
function track(metres: number, rotationDeg: number, noiseM: number, count = 30): TrackPoint[] {
  const random = randomFrom(7);
  const angle = (rotationDeg * Math.PI) / 180;
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [(metres * i) / (count - 1), Math.sin(i / 5) * 0.2];
    const noise = (): number => (random() - 0.5) * 2 * noiseM;
    return {
      odometer: { x, y },
      fix: {
        x: 40 + x * Math.cos(angle) - y * Math.sin(angle) + noise(),
        y: -12 + x * Math.sin(angle) + y * Math.cos(angle) + noise(),
      },
    };
  });
}

test("determines the odometer's rotation, with and without noise", () => {
  for (const rotationDeg of [-170, -90, 0, 45, 120]) {
    const noisy = ((odometerRotation(track(10, rotationDeg, 0.5)) ?? Number.NaN) * 180) / Math.PI;
    assert.ok(Math.abs(noisy - rotationDeg) < 8, `${noisy}, expected ${rotationDeg}`);
    const exact = ((odometerRotation(track(10, rotationDeg, 0)) ?? Number.NaN) * 180) / Math.PI;
    assert.ok(Math.abs(exact - rotationDeg) < 1e-6, `${exact}, expected ${rotationDeg}`);
  }
});

test('does not return a rotation for a stationary cart, a short track, few points or strong noise', () => {
  assert.equal(odometerRotation([]), undefined);
  assert.equal(odometerRotation(track(0, 30, 0.5)), undefined);
  assert.equal(odometerRotation(track(2, 30, 0.1)), undefined);
  assert.equal(odometerRotation(track(10, 30, 0.1, 4)), undefined);
  assert.equal(odometerRotation(track(4, 30, 8)), undefined);
});

test('converts a heading counterclockwise from east to a bearing clockwise from north', () => {
  assert.equal(bearingOf(0, 0), 90);
  assert.equal(bearingOf(90, 0), 0);
  assert.equal(bearingOf(180, 0), 270);
  assert.equal(bearingOf(-90, 0), 180);
  assert.equal(bearingOf(0, Math.PI / 2), 0);
});

test.run();
