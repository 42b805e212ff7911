import assert from 'node:assert/strict';
import { test } from 'uvu';
import { fixPosition } from '../../../../src/beacons/positioning/fix.js';
import { pathLossM } from '../../../../src/beacons/positioning/ranging.js';
import { haversineM, type LatLong, TangentPlane } from '../../../../src/plan/frame/geodesy.js';
import { normalFrom, randomFrom } from '../../../helpers/random.js';

const ROOM_M = 20;
const TRIALS = 400;
const FADING_DB = 6;

/** Returns `count` beacons distributed evenly over a square room's ceiling. */
function ceiling(plane: TangentPlane, count: number): LatLong[] {
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, count - row * columns);
    const x = (ROOM_M * ((i % columns) + 0.5)) / inRow;
    return plane.toGlobe({ x, y: (ROOM_M * (row + 0.5)) / rows });
  });
}

function errorsWith(count: number, middle: LatLong): { median: number; p95: number; held: number } {
  const random = randomFrom(count);
  const normal = normalFrom(random);
  const plane = new TangentPlane([middle]);
  const beacons = ceiling(plane, count);
  const errors: number[] = [];
  let held = 0;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const truth = plane.toGlobe({ x: random() * ROOM_M, y: random() * ROOM_M });
    const anchors = beacons.map((beacon) => {
      const meanDbm = -59 - 20 * Math.log10(Math.max(0.1, haversineM(truth, beacon)));
      return { ...beacon, distanceM: pathLossM(meanDbm + FADING_DB * normal(), -59, 2) };
    });
    const fix = fixPosition(anchors, 2);
    assert.ok('ellipse' in fix);
    errors.push(haversineM(fix, truth));
    if (isInside(fix, truth)) held += 1;
  }
  errors.sort((a, b) => a - b);
  const at = (share: number): number => errors[Math.floor(share * TRIALS)] ?? 0;
  return { median: at(0.5), p95: at(0.95), held: held / TRIALS };
}

function isInside(fix: ReturnType<typeof fixPosition>, truth: LatLong): boolean {
  if (!('ellipse' in fix)) return false;
  const { x, y } = new TangentPlane([fix]).toPlane(truth);
  const { semiMajorM, semiMinorM, bearingDeg } = fix.ellipse;
  const angle = ((90 - bearingDeg) * Math.PI) / 180;
  const along = x * Math.cos(angle) + y * Math.sin(angle);
  const across = y * Math.cos(angle) - x * Math.sin(angle);
  return (along / semiMajorM) ** 2 + (across / semiMinorM) ** 2 <= 1;
}

const ROTTERDAM = { lat: 51.92, long: 4.48 };

/**
 * Upper limits for the position error in metres. With these seeds, the measured medians are 4.3, 2.8 and 1.7
 * m, and the 95th percentiles are 13.6, 9.8 and 5.5 m.
 */
const LIMITS: [count: number, median: number, p95: number][] = [
  [4, 4.6, 14.5],
  [8, 3.1, 10.5],
  [16, 2, 6],
];

for (const [count, median, p95] of LIMITS) {
  test(`the median error is below ${median} m, the 95th percentile is below ${p95} m, and 92 to 99 % of the positions are inside the ellipse with ${count} beacons in a 20 m room and 6 dB of fading`, () => {
    const found = errorsWith(count, ROTTERDAM);
    const shown = JSON.stringify(found);
    assert.ok(found.median < median, shown);
    assert.ok(found.p95 < p95, shown);
    assert.ok(found.held > 0.92 && found.held < 0.99, shown);
  });
}

test('position errors at the antimeridian and at a pole are the same as elsewhere', () => {
  const here = errorsWith(4, ROTTERDAM);
  for (const middle of [
    { lat: -17, long: 179.9999 },
    { lat: 89.9999, long: 30 },
  ]) {
    const there = errorsWith(4, middle);
    assert.ok(Math.abs(here.median - there.median) < 0.05, JSON.stringify({ here, there }));
    assert.ok(Math.abs(here.held - there.held) < 0.02, JSON.stringify({ here, there }));
  }
});

test.run();
