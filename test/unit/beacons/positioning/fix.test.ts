import assert from 'node:assert/strict';
import { test } from 'uvu';
import { type Anchor, type Fix, fixPosition } from '../../../../src/beacons/positioning/fix.js';
import {
  bearingDeg,
  EARTH_RADIUS_M,
  haversineM,
  type LatLong,
  type PlanePoint,
  TangentPlane,
} from '../../../../src/plan/frame/geodesy.js';

const PLACES: LatLong[] = [
  { lat: 51.92, long: 4.48 },
  { lat: -17.5, long: 180 },
  { lat: 0, long: -180 },
  { lat: 90, long: 0 },
  { lat: -89.99999, long: 120 },
];

const SQUARE: PlanePoint[] = [
  { x: 0, y: 0 },
  { x: 20, y: 0 },
  { x: 20, y: 20 },
  { x: 0, y: 20 },
];

/** Returns anchors at points around `middle`, with their exact distances from `truth`. */
function anchorsAt(middle: LatLong, points: readonly PlanePoint[], truth: PlanePoint): Anchor[] {
  const plane = new TangentPlane([middle]);
  return points.map((point) => ({
    ...plane.toGlobe(point),
    distanceM: Math.hypot(point.x - truth.x, point.y - truth.y),
  }));
}

function requireFix(anchors: readonly Anchor[]): Fix {
  const fix = fixPosition(anchors, 2);
  assert.ok('ellipse' in fix, JSON.stringify(fix));
  return fix;
}

test('measures 111,195 m for one degree of latitude, and 2,886.4 km from Nashville to Los Angeles', () => {
  assert.equal(Math.round(haversineM({ lat: 0, long: 0 }, { lat: 1, long: 0 })), 111_195);
  const km = haversineM({ lat: 36.12, long: -86.67 }, { lat: 33.94, long: -118.4 }) / 1000;
  assert.ok(Math.abs(km - 2886.45) < 0.05, String(km));
});

test('the great-circle distance follows the shortest path across the antimeridian and a pole', () => {
  const metre = 180 / (Math.PI * EARTH_RADIUS_M);
  assert.ok(Math.abs(haversineM({ lat: 0, long: 180 - metre }, { lat: 0, long: -180 + metre }) - 2) < 1e-6);
  assert.ok(Math.abs(haversineM({ lat: 90 - metre, long: 0 }, { lat: 90 - metre, long: 180 }) - 2) < 1e-6);
  assert.ok(Math.abs(haversineM({ lat: 90, long: 17 }, { lat: 90, long: -120 })) < 1e-6);
});

test('measures bearings clockwise from north', () => {
  const here = { lat: 10, long: 10 };
  assert.equal(Math.round(bearingDeg(here, { lat: 11, long: 10 })), 0);
  assert.equal(Math.round(bearingDeg(here, { lat: 10, long: 10.01 })), 90);
  assert.equal(Math.round(bearingDeg(here, { lat: 10, long: 9.99 })), 270);
});

test('projecting plane points onto the globe and back returns the same points everywhere on Earth', () => {
  for (const middle of PLACES) {
    const plane = new TangentPlane([middle]);
    for (const point of [...SQUARE, { x: -900, y: 350 }]) {
      const back = plane.toPlane(plane.toGlobe(point));
      assert.ok(
        Math.hypot(back.x - point.x, back.y - point.y) < 1e-5,
        JSON.stringify({ middle, point, back }),
      );
    }
  }
});

test('the fix is within 1 m of the true position everywhere on Earth when there is no fading', () => {
  const truth = { x: 6, y: 13 };
  for (const middle of PLACES) {
    const fix = requireFix(anchorsAt(middle, SQUARE, truth));
    const awayM = haversineM(fix, new TangentPlane([middle]).toGlobe(truth));
    assert.ok(awayM < 1, `error ${awayM} m at ${JSON.stringify(middle)}`);
    assert.ok(fix.residuals.every(({ sigmas }) => Math.abs(sigmas) < 0.2));
  }
});

test('three beacons give a fix with a large uncertainty ellipse', () => {
  const fix = requireFix(anchorsAt({ lat: 52, long: 5 }, SQUARE.slice(0, 3), { x: 12, y: 8 }));
  assert.equal(fix.ellipse.probability, 0.95);
  assert.ok(fix.ellipse.semiMajorM >= fix.ellipse.semiMinorM && fix.ellipse.semiMinorM > 3);
});

test('the uncertainty ellipse is elongated across a narrow row of beacons', () => {
  const corridor = [0, 10, 20, 30].flatMap((x) => [
    { x, y: 0 },
    { x, y: 3 },
  ]);
  const { ellipse } = requireFix(anchorsAt({ lat: 52, long: 5 }, corridor, { x: 14, y: 1 }));
  assert.ok(ellipse.semiMajorM > 1.2 * ellipse.semiMinorM);
  const fromNorth = Math.min(ellipse.bearingDeg, 180 - ellipse.bearingDeg);
  assert.ok(fromNorth < 20, String(ellipse.bearingDeg));
});

test('beacons that are nearly in a line give a fix and an alternative on the other side of the line', () => {
  const row = [0, 10, 20, 30].map((x, i) => ({ x, y: i % 2 }));
  const fix = requireFix(anchorsAt({ lat: 52, long: 5 }, row, { x: 15, y: 9 }));
  assert.ok(fix.alternative);
  assert.ok(haversineM(fix, fix.alternative) > 10);
});

test('beacons in a line give two candidates but no fix', () => {
  const row = [0, 10, 20, 30].map((x) => ({ x, y: 0 }));
  const answer = fixPosition(anchorsAt({ lat: 0, long: 180 }, row, { x: 15, y: 9 }), 2);
  assert.ok('reason' in answer);
  assert.equal(answer.reason, 'in-line');
  const [one, other] = answer.candidates;
  assert.ok(one && other);
  assert.ok(Math.abs(haversineM(one, other) - 18) < 1, String(haversineM(one, other)));
});

test('three beacons at fewer than three positions do not give a fix', () => {
  const middle = { lat: 52, long: 5 };
  for (const points of [
    [SQUARE[0], SQUARE[0], SQUARE[0]],
    [SQUARE[0], SQUARE[1], SQUARE[1]],
    [SQUARE[0], SQUARE[1]],
  ]) {
    const known = points.filter((point) => point !== undefined);
    assert.deepEqual(fixPosition(anchorsAt(middle, known, { x: 5, y: 5 }), 2), {
      reason: 'too-few',
      candidates: [],
    });
  }
  assert.deepEqual(fixPosition([], 2), { reason: 'too-few', candidates: [] });
});

test('beacons that are too far apart for simultaneous reception do not give a fix', () => {
  const anchors = anchorsAt({ lat: 52, long: 5 }, SQUARE, { x: 5, y: 5 });
  const remote = { lat: 0, long: 0, distanceM: 4 };
  assert.deepEqual(fixPosition([...anchors, remote], 2), { reason: 'far-apart', candidates: [] });
  const opposite = { lat: -52, long: -175, distanceM: 4 };
  const answer = fixPosition([...anchors.slice(0, 1), opposite, ...anchors.slice(1, 2)], 2);
  assert.ok('reason' in answer && answer.reason === 'far-apart');
});

test('a beacon that is registered at the wrong position has a large residual', () => {
  const grid = [0, 10, 20].flatMap((x) => [0, 10, 20].map((y) => ({ x, y })));
  const anchors = anchorsAt({ lat: 52, long: 5 }, grid, { x: 9, y: 12 });
  const wrong = { ...new TangentPlane([{ lat: 52, long: 5 }]).toGlobe({ x: 400, y: 300 }), distanceM: 3 };
  const { residuals } = requireFix([...anchors, wrong]);
  assert.ok((residuals.at(-1)?.sigmas ?? 0) > 3);
  assert.ok(residuals.slice(0, -1).every(({ sigmas }) => Math.abs(sigmas) < 3));
});

test.run();
