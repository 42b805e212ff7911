import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { placementOf } from '../../../../src/plan/floor-plan/georeference.js';
import { anchorOf, endsAfterTap, lineOf, pointsOfLine } from '../../../../src/plan/floor-plan/line.js';
import type { PlanLine } from '../../../../src/plan/floor-plan/schema.js';
import { haversineM } from '../../../../src/plan/frame/geodesy.js';
import type { GatewayError } from '../../../../src/shared/errors.js';

const test = suite('floor plan scale from a line');

const SIZE = { width: 1200, height: 960 };
const LINE: PlanLine = { x1: 30, y1: 930, x2: 1170, y2: 930, lengthM: 57 };
const NOWHERE = { lat: 0, long: 0 };

for (const origin of [NOWHERE, { lat: 52.37, long: 4.895 }, { lat: -33.9, long: 179.9999 }]) {
  test(`places a new plan with its bottom-left corner at ${origin.lat}, ${origin.long} and north at the top`, () => {
    const points = pointsOfLine(LINE, SIZE, anchorOf(undefined, origin));
    const placement = placementOf(points, SIZE);
    assert.ok(Math.abs(placement.metresPerPixel - 0.05) < 1e-7, String(placement.metresPerPixel));
    assert.ok(Math.abs(placement.rotationDeg) < 1e-3, String(placement.rotationDeg));
    assert.ok(haversineM(placement.bottomLeft, origin) < 0.001);
    assert.ok(Math.abs(haversineM(placement.topLeft, placement.bottomLeft) - 48) < 0.001);
    assert.deepEqual(lineOf(points), LINE);
  });
}

test('a new line changes only the scale of a plan that has a position', () => {
  const origin = { lat: 52.37, long: 4.895 };
  const placed = placementOf(pointsOfLine(LINE, SIZE, { corner: origin, rotationDeg: 30 }), SIZE);
  const diagonal = { x1: 0, y1: 0, x2: 600, y2: 800, lengthM: 100 };
  const scaled = placementOf(pointsOfLine(diagonal, SIZE, anchorOf(placed, NOWHERE)), SIZE);
  assert.ok(Math.abs(scaled.metresPerPixel - 0.1) < 1e-6, String(scaled.metresPerPixel));
  assert.ok(Math.abs(scaled.rotationDeg - 30) < 2e-3, String(scaled.rotationDeg));
  assert.ok(haversineM(scaled.bottomLeft, origin) < 0.001);
});

function rejection(line: PlanLine): GatewayError {
  try {
    pointsOfLine(line, SIZE, anchorOf(undefined, NOWHERE));
  } catch (error) {
    return error as GatewayError;
  }
  throw new Error('the line was accepted');
}

test('rejects lines outside the limits and reports the field, limit and unit', () => {
  const cases: [Partial<PlanLine>, string, number, string][] = [
    [{ x1: 1200.5 }, 'x1', 1200, 'px'],
    [{ y2: -1 }, 'y2', 960, 'px'],
    [{ x2: 129 }, 'x2', 100, 'px'],
    [{ lengthM: 0.99 }, 'lengthM', 1, 'm'],
    [{ lengthM: 1000.1 }, 'lengthM', 1000, 'm'],
    [{ lengthM: -57 }, 'lengthM', 1, 'm'],
  ];
  for (const [change, field, limit, unit] of cases) {
    const { code, info, message } = rejection({ ...LINE, ...change });
    assert.deepEqual([code, info.field, info.limit, info.unit], ['INVALID_INPUT', field, limit, unit]);
    assert.match(message, /must be/);
  }
});

test('accepts lines at the limits of length and position', () => {
  for (const change of [
    { lengthM: 1 },
    { lengthM: 1000 },
    { x2: 130 },
    { x1: 0, x2: 1200, y1: 0, y2: 960 },
  ]) {
    const points = pointsOfLine({ ...LINE, ...change }, SIZE, anchorOf(undefined, NOWHERE));
    assert.ok(placementOf(points, SIZE).metresPerPixel > 0);
  }
});

test("the first two taps set the line's ends, and every further tap moves the nearest end", () => {
  const [left, right, near] = [
    { x: 10, y: 20 },
    { x: 400, y: 20 },
    { x: 380, y: 30 },
  ];
  const first = endsAfterTap([undefined, undefined], left);
  assert.deepEqual(first, [left, undefined]);
  const both = endsAfterTap(first, right);
  assert.deepEqual(both, [left, right]);
  assert.deepEqual(endsAfterTap(both, near), [left, near]);
  assert.deepEqual(endsAfterTap(both, { x: 0, y: 0 }), [{ x: 0, y: 0 }, right]);
});

test.run();
