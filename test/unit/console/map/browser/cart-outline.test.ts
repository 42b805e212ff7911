import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { onMap, stoppingArea } from '../../../../../src/console/map/browser/cart-outline.js';
import { TangentPlane } from '../../../../../src/plan/frame/geodesy.js';

const test = suite('the outline of a cart on the map');

const RULES = {
  footprint: [
    { xMm: 400, yMm: 250 },
    { xMm: -200, yMm: 250 },
    { xMm: -200, yMm: -250 },
    { xMm: 400, yMm: -250 },
  ],
  decelMmps2: 500,
};
const AT = { lat: 52, long: 5 };

test('the corners are turned with the heading', () => {
  const plane = new TangentPlane([AT]);
  const placed = (bearingDeg: number): number[][] =>
    onMap([{ xMm: 400, yMm: 250 }], AT, bearingDeg).map((point) => {
      const { x, y } = plane.toPlane(point);
      return [Math.round(x * 1000) + 0, Math.round(y * 1000) + 0];
    });
  assert.deepEqual(placed(0), [[-250, 400]]);
  assert.deepEqual(placed(90), [[400, 250]]);
  assert.deepEqual(placed(180), [[250, -400]]);
});

test('the stopping area extends in the direction of motion', () => {
  const reach = (speedMmps: number): number[] => {
    const x = stoppingArea(RULES, speedMmps).map(({ xMm }) => xMm);
    return [Math.min(...x), Math.max(...x)];
  };
  // 1 m/s for 0.3 s, then 1 m/s² / (2 x 0.5 m/s²).
  assert.deepEqual(reach(1000), [-200, 400 + 300 + 1000]);
  assert.deepEqual(reach(-1000), [-200 - 300 - 1000, 400]);
});

test('there is no stopping area for a stationary cart or an unknown footprint', () => {
  assert.deepEqual(stoppingArea(RULES, 0), []);
  assert.deepEqual(stoppingArea({ ...RULES, footprint: [] }, 1000), []);
});

test.run();
