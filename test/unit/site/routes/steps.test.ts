import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Leg } from '../../../../src/site/routes/route.js';
import { nextStep, offRouteMm, type RoutePose, type Step } from '../../../../src/site/routes/steps.js';
import { randomFrom, rounds, testSeed } from '../../../helpers/random.js';

const test = suite('steps of a route');

const RAD = Math.PI / 180;
const FROM: Leg = { xMm: 0, yMm: 0 };

/** Moves without an error, or with relative errors of this size. */
function moved(
  { xMm, yMm, headingDeg }: RoutePose,
  { turnDeg, distanceMm }: Step,
  error = () => 0,
): RoutePose {
  const heading = headingDeg + turnDeg * (1 + error());
  const mm = distanceMm * (1 + error());
  return {
    xMm: xMm + mm * Math.cos(heading * RAD),
    yMm: yMm + mm * Math.sin(heading * RAD),
    headingDeg: heading + error() * 10,
  };
}

function drive(legs: readonly Leg[], start: RoutePose, error = () => 0): { pose: RoutePose; steps: Step[] } {
  const steps: Step[] = [];
  let pose = start;
  for (const [nth, leg] of legs.entries()) {
    for (let n = 0; ; n++) {
      const step = nextStep(legs[nth - 1], leg, pose);
      if (!step) break;
      assert.ok(n < 30, 'ends');
      steps.push(step);
      pose = moved(pose, step, error);
    }
  }
  return { pose, steps };
}

test('a long leg is driven in equal steps of at most 1 m', () => {
  const { steps } = drive([FROM, { xMm: 2500, yMm: 0 }], { ...FROM, headingDeg: 90 });
  assert.deepEqual(
    steps.map(({ distanceMm }) => Math.round(distanceMm)),
    [833, 833, 833],
  );
  assert.deepEqual(
    steps.map(({ turnDeg }) => Math.round(turnDeg) + 0),
    [-90, 0, 0],
  );
});

test('a heading that points backwards is driven backwards', () => {
  const { pose, steps } = drive([FROM, { xMm: 800, yMm: 0, headingDeg: 170 }], { ...FROM, headingDeg: 180 });
  assert.deepEqual(
    steps.map(({ turnDeg, distanceMm }) => [Math.round(turnDeg) + 0, Math.round(distanceMm)]),
    [[0, -800]],
  );
  assert.ok(Math.abs(pose.xMm - 800) < 1);
});

test('a leg without a distance is a turn by the shorter way', () => {
  const { steps } = drive([FROM, { xMm: 5, yMm: 0, headingDeg: 170 }], { ...FROM, headingDeg: -160 });
  assert.deepEqual(steps, [{ turnDeg: -30, distanceMm: 0 }]);
});

test('a cart behind the end of a leg does not turn back', () => {
  assert.equal(nextStep(FROM, { xMm: 1000, yMm: 0 }, { xMm: 1040, yMm: 30, headingDeg: 0 }), undefined);
});

test('close to the end of a leg, the cart does not turn sideways', () => {
  const step = nextStep(FROM, { xMm: 1000, yMm: 0 }, { xMm: 960, yMm: 100, headingDeg: 0 });
  assert.equal(step?.turnDeg, -20);
});

test('a cart drives to the start in the direction that needs the smaller turn', () => {
  const step = nextStep(undefined, { xMm: -400, yMm: 0 }, { ...FROM, headingDeg: 10 });
  assert.deepEqual([Math.round(step?.turnDeg ?? 0), Math.round(step?.distanceMm ?? 0)], [-10, -400]);
  assert.equal(nextStep(undefined, FROM, { xMm: 15, yMm: 0, headingDeg: 90 }), undefined);
});

test('measures the distance from the line, and from its ends beyond them', () => {
  const to = { xMm: 1000, yMm: 0 };
  assert.equal(offRouteMm(FROM, to, { xMm: 500, yMm: -80 }), 80);
  assert.equal(offRouteMm(FROM, to, { xMm: 1030, yMm: 40 }), 50);
  assert.equal(offRouteMm(FROM, FROM, { xMm: 30, yMm: 40 }), 50);
});

test('random routes end within 100 mm of their end despite errors of 2 percent', () => {
  // After a turn by 180 degrees, a motion of 1 m is up to 3.8 degrees off, or 66 mm beside the leg.
  const random = randomFrom(testSeed());
  const error = () => (random() - 0.5) * 0.04;
  for (let n = 0; n < rounds(200, 10_000); n++) {
    const legs: Leg[] = [FROM];
    for (let leg = 0; leg < 6; leg++) {
      const [x, y] = [random() * 8000, random() * 8000];
      legs.push({ xMm: x, yMm: y, ...(random() < 0.5 && { headingDeg: random() * 360 }) });
    }
    const { pose } = drive(
      legs,
      { xMm: random() * 300, yMm: random() * 300, headingDeg: random() * 360 },
      error,
    );
    const { xMm = 0, yMm = 0 } = legs.at(-1) ?? {};
    const mm = Math.hypot(pose.xMm - xMm, pose.yMm - yMm);
    assert.ok(mm < 100, `${mm} mm in round ${n}`);
  }
});

test.run();
