import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { bearingOf, type TrackPoint, turnOf } from '../../../../src/beacons/positioning/heading.js';
import { randomFrom } from './random.js';

const test = suite('the course of a cart by beacons and odometer');

/** A way of `metres` along the odometer's x axis, as beacons see it: turned, moved and with noise. */
function way(metres: number, turnDeg: number, noiseM: number, count = 30): TrackPoint[] {
  const random = randomFrom(7);
  const turn = (turnDeg * Math.PI) / 180;
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [(metres * i) / (count - 1), Math.sin(i / 5) * 0.2];
    const noise = (): number => (random() - 0.5) * 2 * noiseM;
    return {
      odometer: { x, y },
      fix: {
        x: 40 + x * Math.cos(turn) - y * Math.sin(turn) + noise(),
        y: -12 + x * Math.sin(turn) + y * Math.cos(turn) + noise(),
      },
    };
  });
}

test('the turn between both is found, through the noise of radio as well', () => {
  for (const turnDeg of [-170, -90, 0, 45, 120]) {
    const turn = ((turnOf(way(10, turnDeg, 0.5)) ?? Number.NaN) * 180) / Math.PI;
    assert.ok(Math.abs(turn - turnDeg) < 8, `${turn}, not ${turnDeg}`);
    const exact = ((turnOf(way(10, turnDeg, 0)) ?? Number.NaN) * 180) / Math.PI;
    assert.ok(Math.abs(exact - turnDeg) < 1e-6, `${exact}, not ${turnDeg}`);
  }
});

test('there is none while the cart stands, has come a short way only, or is heard too badly', () => {
  assert.equal(turnOf([]), undefined);
  assert.equal(turnOf(way(0, 30, 0.5)), undefined);
  assert.equal(turnOf(way(2, 30, 0.1)), undefined);
  assert.equal(turnOf(way(10, 30, 0.1, 4)), undefined);
  assert.equal(turnOf(way(4, 30, 8)), undefined);
});

test('a bearing counts clockwise from north, a heading counterclockwise from east', () => {
  assert.equal(bearingOf(0, 0), 90);
  assert.equal(bearingOf(90, 0), 0);
  assert.equal(bearingOf(180, 0), 270);
  assert.equal(bearingOf(-90, 0), 180);
  assert.equal(bearingOf(0, Math.PI / 2), 0);
});

test.run();
