import assert from 'node:assert/strict';
import { suite } from 'uvu';
import {
  type MapPose,
  type MotionFault,
  motionTo,
  movedBy,
  type TargetMotion,
  type TargetRules,
} from '../../../../src/beacons/positioning/drive-target.js';
import { haversineM } from '../../../../src/plan/frame/geodesy.js';

const test = suite('command to a point on the map');

const HALL: MapPose = { lat: 52.37, long: 4.895, bearingDeg: 0 };
const RULES: TargetRules = { mmPerUnit: 1, maxMm: 10_000, degPerUnit: 1, maxDeg: 360 };

function motion(bearingDeg: number, metres: number, direction: number, rules = RULES): TargetMotion {
  const pose = { ...HALL, bearingDeg };
  const result = motionTo(pose, movedBy(pose, metres, direction), rules);
  assert.ok(!('fault' in result), JSON.stringify(result));
  return result;
}

function fault(metres: number, direction: number, rules: Partial<TargetRules> = {}): MotionFault {
  const result = motionTo(HALL, movedBy(HALL, metres, direction), { ...RULES, ...rules });
  assert.ok('fault' in result, JSON.stringify(result));
  return result;
}

for (const [heading, direction, left] of [
  [0, 0, 0],
  [0, 270, 90],
  [0, 90, -90],
  [350, 10, -20],
  [10, 350, 20],
  [90, 180, -90],
  [200, 21, 179],
] as const) {
  test(`turns ${left} degrees to the left from a heading of ${heading} to a point at ${direction}`, () => {
    const { distanceMm, angleDeg, end } = motion(heading, 3, direction);
    assert.deepEqual([distanceMm, angleDeg], [3000, left]);
    assert.ok(haversineM(end, movedBy(HALL, 3, direction)) < 0.002);
  });
}

test('turns 180 degrees towards a point behind the cart', () => {
  assert.equal(Math.abs(motion(0, 2, 180).angleDeg), 180);
});

test('the preview ends where the rounded command ends', () => {
  const coarse = motion(0, 2.7, 290.4, { ...RULES, mmPerUnit: 1000 });
  assert.deepEqual([coarse.distanceID, coarse.distanceMm, coarse.angleID], [2, 2000, 70]);
  assert.ok(haversineM(coarse.end, movedBy(HALL, 2, 290)) < 1e-6);
  const fine = motion(0, 2.5, 290.4, { ...RULES, mmPerUnit: 10, degPerUnit: 0.1 });
  assert.deepEqual([fine.distanceID, fine.distanceMm, fine.angleID, fine.angleDeg], [250, 2500, 696, 69.6]);
});

test('rejects points beyond the limits of one command and reports the limit', () => {
  assert.deepEqual(Object.values(fault(5.01, 0)).toSpliced(1, 1), ['far', 5]);
  assert.deepEqual(Object.values(fault(2.01, 0, { maxMm: 2000 })).toSpliced(1, 1), ['far', 2]);
  assert.ok(Math.abs(fault(7, 0).amount - 7) < 0.001);
  assert.equal(motion(0, 4.999, 0).distanceMm, 4999);
  assert.deepEqual(Object.values(fault(0.19, 0)).toSpliced(1, 1), ['near', 0.2]);
  assert.equal(fault(0.9, 0, { mmPerUnit: 1000 }).fault, 'near');
  assert.deepEqual(Object.values(fault(2, 90, { maxDeg: 45 })), ['turn', -90, 45]);
});

test('never returns a command with distance 0, which would stop the cart', () => {
  for (let mm = 0; mm <= 6000; mm += 7) {
    const result = motionTo(HALL, movedBy(HALL, mm / 1000, mm), { ...RULES, mmPerUnit: 100 });
    if ('fault' in result) assert.ok(mm < 200 || mm > 4999, String(mm));
    else assert.ok(result.distanceMm >= 200 && result.distanceMm <= 5000, String(mm));
  }
});

test.run();
