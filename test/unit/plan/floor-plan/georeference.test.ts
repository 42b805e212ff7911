import assert from 'node:assert/strict';
import { suite } from 'uvu';
import {
  type Placement,
  placementOf,
  type ReferencePoint,
} from '../../../../src/plan/floor-plan/georeference.js';
import { haversineM, type LatLong, TangentPlane } from '../../../../src/plan/frame/geodesy.js';
import type { GatewayError } from '../../../../src/shared/errors.js';

const test = suite('floor plan georeferencing');

const SIZE = { width: 1000, height: 500 };
const HALL: LatLong = { lat: 52.3702, long: 4.8952 };

/**
 * Returns two reference points on a plan with this scale and clockwise rotation. The plan's pixel (100, 100)
 * is at `at`.
 */
function pointsOf(metresPerPixel: number, rotationDeg: number, at = HALL): [ReferencePoint, ReferencePoint] {
  const plane = new TangentPlane([at]);
  const [right, up] = [800 * metresPerPixel, -300 * metresPerPixel];
  const angle = (-rotationDeg * Math.PI) / 180;
  const second = plane.toGlobe({
    x: right * Math.cos(angle) - up * Math.sin(angle),
    y: right * Math.sin(angle) + up * Math.cos(angle),
  });
  return [
    { x: 100, y: 100, ...at },
    { x: 900, y: 400, ...second },
  ];
}

function assertNear(actual: number, expected: number, tolerance: number, label: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${label}: ${actual}, expected ${expected}`);
}

for (const [scale, rotationDeg, at] of [
  [0.05, 0, HALL],
  [0.05, 30, HALL],
  [0.02, -90, HALL],
  [0.3, 179, HALL],
  [0.05, 45, { lat: -33.9, long: 18.4 }],
  [0.05, 45, { lat: 10, long: 180 }],
  [0.05, 45, { lat: 70, long: -0.0001 }],
] as const) {
  test(`computes a scale of ${scale} m/px and a rotation of ${rotationDeg} degrees at ${at.lat}, ${at.long}`, () => {
    const placement = placementOf(pointsOf(scale, rotationDeg, at), SIZE);
    assertNear(placement.metresPerPixel, scale, scale * 1e-6, 'scale');
    // The direction of north differs by 0.001 degrees between the two points.
    assertNear(placement.rotationDeg, rotationDeg, 2e-3, 'rotation');
    assertNear(haversineM(placement.topLeft, placement.topRight), 1000 * scale, 0.001, 'width');
    assertNear(haversineM(placement.topLeft, placement.bottomLeft), 500 * scale, 0.001, 'height');
    assertNear(haversineM(placement.topLeft, at), Math.hypot(100, 100) * scale, 0.001, 'first point');
  });
}

test('an unrotated plan has its left edge to the west and its top edge to the north', () => {
  const { topLeft, topRight, bottomLeft }: Placement = placementOf(pointsOf(0.05, 0), SIZE);
  assert.ok(topLeft.long < topRight.long);
  assert.ok(topLeft.lat > bottomLeft.lat);
});

function rejection(points: [ReferencePoint, ReferencePoint]): GatewayError {
  try {
    placementOf(points, SIZE);
  } catch (error) {
    return error as GatewayError;
  }
  throw new Error('the points were accepted');
}

test('rejects points outside the limits and reports the field, limit and unit', () => {
  const [first, second] = pointsOf(0.05, 0);
  const cases: [Partial<ReferencePoint>, string, number, string][] = [
    [{ x: 100, y: 100 }, 'points/1/x', 100, 'px'],
    [{ x: 150, y: 180 }, 'points/1/x', 100, 'px'],
    [{ lat: first.lat, long: first.long }, 'points/1/lat', 0.5, 'm'],
    [{ lat: -first.lat }, 'points/1/lat', 20_000, 'm'],
    [{ x: 1000.5 }, 'points/1/x', 1000, 'px'],
    [{ y: -1 }, 'points/1/y', 500, 'px'],
    [{ lat: 89 }, 'points/1/lat', 85, 'degrees'],
  ];
  for (const [change, field, limit, unit] of cases) {
    const { code, info, message } = rejection([first, { ...second, ...change }]);
    assert.deepEqual([code, info.field, info.limit, info.unit], ['INVALID_INPUT', field, limit, unit]);
    assert.match(message, /must be/);
  }
});

test.run();
