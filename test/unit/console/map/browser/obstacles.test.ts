import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { FieldView } from '../../../../../src/carts/protective-field/model.js';
import type { CartCorner } from '../../../../../src/console/map/browser/cart-outline.js';
import { obstacleLines } from '../../../../../src/console/map/browser/obstacles.js';
import { TangentPlane } from '../../../../../src/plan/frame/geodesy.js';

const POSITION = { lat: 52, long: 4 };

/** Returns the middle of the arc of one obstacle, in metres east and north of the cart. */
function middleOf(angleDeg: number, bearingDeg: number, footprint?: CartCorner[]): number[] {
  const sensors = [{ angleDeg, fieldOfViewDeg: 40, maxRangeMm: 2500, rangeMm: 2000, valid: true }];
  const field: FieldView = { sensors, bumpers: [], blocked: [], ageS: 0 };
  const [line] = obstacleLines(field, POSITION, bearingDeg, { symbolM: 1, footprint });
  const middle = line?.points[Math.floor(line.points.length / 2)];
  assert.ok(middle);
  const { x, y } = new TangentPlane([POSITION]).toPlane(middle);
  return [x, y].map((metres) => Math.round(metres * 100) / 100 + 0);
}

test('an obstacle ahead is displayed in the direction of the heading, at the measured distance', () => {
  assert.deepEqual(middleOf(0, 0), [0, 2]);
  assert.deepEqual(middleOf(0, 90), [2, 0]);
});

test('an obstacle is displayed at the measured distance from the outline of the cart', () => {
  const footprint = [
    { xMm: 500, yMm: 300 },
    { xMm: -200, yMm: 300 },
    { xMm: -200, yMm: -250 },
    { xMm: 500, yMm: -250 },
  ];
  assert.deepEqual(middleOf(0, 0, footprint), [0, 2.5]);
  assert.deepEqual(middleOf(180, 0, footprint), [0, -2.2]);
  assert.deepEqual(middleOf(90, 0, footprint), [-2.3, 0]);
});

test('an obstacle to the left is counter-clockwise from the heading', () => {
  assert.deepEqual(middleOf(90, 0), [-2, 0]);
  assert.deepEqual(middleOf(90, 90), [0, 2]);
});

test("the arcs of a pressed bumper and of a near obstacle are at the edge of the cart's symbol", () => {
  const sensors = [{ angleDeg: 0, fieldOfViewDeg: 40, maxRangeMm: 2500, rangeMm: 100, valid: true }];
  const field: FieldView = { sensors, bumpers: ['frontLeft'], blocked: [], ageS: 0 };
  const plane = new TangentPlane([POSITION]);
  const distances = obstacleLines(field, POSITION, 0, { symbolM: 0.5 }).flatMap(({ points }) =>
    points.map((point) => {
      const { x, y } = plane.toPlane(point);
      return Math.hypot(x, y);
    }),
  );
  assert.ok(distances.length > 2);
  assert.ok(distances.every((metres) => Math.abs(metres - 0.5) < 0.001));
});

test.run();
