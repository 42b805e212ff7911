import assert from 'node:assert/strict';
import { test } from 'uvu';
import { startApproach, stepApproach } from '../../../../src/navigation/approach/machine.js';
import type {
  ApproachEffect,
  ApproachInput,
  ApproachState,
  EndOutcome,
  Measured,
} from '../../../../src/navigation/approach/model.js';
import type { PlanarPose } from '../../../../src/navigation/planar.js';
import { randomFrom } from '../../../helpers/random.js';
import { quantile } from '../localization/simulated-drive.js';
import { simulateDocking } from './simulated-docking.js';

const RULES = { camera: { xMm: 0, yMm: 0, headingDeg: 0 }, resolution: { mm: 1, deg: 0.1 } };
const GOAL = { standoffMm: 500, lateralMm: 0, headingDeg: 0 };
const AHEAD: Measured = { rangeMm: 2000, bearingDeg: 0, yawDeg: 0 };
const NEAR: Measured = { rangeMm: 700, bearingDeg: 0, yawDeg: 0 };
const AT_GOAL: Measured = { rangeMm: 500, bearingDeg: 0, yawDeg: 0 };

/** Feeds inputs to an approach and records its effects. */
class TestRun {
  state: ApproachState = startApproach(GOAL, RULES, 0);
  effects: ApproachEffect[] = [];
  nowMs = 0;

  send(input: ApproachInput): this {
    const { state, effects } = stepApproach(this.state, input, this.nowMs);
    this.state = state;
    this.effects.push(...effects);
    return this;
  }

  /** Sends images that are taken every 100 ms and arrive 50 ms later. */
  images(count: number, sighting: Measured | undefined, track: readonly PlanarPose[] = []): this {
    for (let i = 0; i < count; i += 1) {
      this.nowMs += 100;
      this.send({ kind: 'image', capturedMs: this.nowMs - 50, sighting, track });
    }
    return this;
  }

  ticks(ms: number): this {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      this.nowMs += 50;
      this.send({ kind: 'tick' });
    }
    return this;
  }

  ended(outcome: EndOutcome, distanceMm = 0, angleDeg = 0): this {
    return this.send({ kind: 'ended', outcome, distanceMm, angleDeg });
  }

  get summary(): string {
    return this.state.phase === 'FAILED' ? this.state.reason : this.state.phase;
  }
}

/** A pose straight ahead of the start of a command. */
const at = (mm: number): PlanarPose => ({ x: mm, y: 0, heading: 0 });

const moving = (sighting = AHEAD): TestRun => new TestRun().images(10, sighting);

test('does not drive before it has detected the marker', () => {
  const run = new TestRun().images(10, undefined);
  assert.deepEqual([run.summary, run.effects], ['LOOKING', []]);
});

test('moves a limited distance towards a marker straight ahead', () => {
  const motion = { distanceMm: 1000, angleDeg: 0, isSlow: false };
  assert.deepEqual(moving().effects, [{ kind: 'move', motion }]);
});

test('the approach is slow near the marker', () => {
  assert.deepEqual(moving(NEAR).effects, [
    { kind: 'move', motion: { distanceMm: 200, angleDeg: 0, isSlow: true } },
  ]);
});

test('drives slowly only if the command begins within 0.9 m of the marker', () => {
  const isSlowFrom = (rangeMm: number): boolean => {
    const [effect] = moving({ ...AHEAD, rangeMm }).effects;
    assert.ok(effect?.kind === 'move');
    return effect.motion.isSlow;
  };
  assert.deepEqual([899, 900, 1000].map(isSlowFrom), [true, false, false]);
});

test("first turns towards a point on the marker's normal when it detects the marker from the side", () => {
  const [effect] = moving({ rangeMm: 2000, bearingDeg: 0, yawDeg: -35 }).effects;
  assert.ok(effect?.kind === 'move');
  // The marker is straight ahead; its normal points to the left of the cart.
  assert.ok(effect.motion.angleDeg > 20, `${effect.motion.angleDeg}`);
});

test('the approach finishes with the measured residual at the goal', () => {
  const run = new TestRun().images(10, { ...AT_GOAL, rangeMm: 503 });
  assert.ok(run.state.phase === 'FINISHED');
  assert.equal(Math.round(run.state.residual.alongMm * 10) / 10, 3);
});

test('finishes at a goal that has a lateral offset and a heading', () => {
  const run = new TestRun();
  run.state = startApproach({ standoffMm: 500, lateralMm: 100, headingDeg: 5 }, RULES, 0);
  const bearingDeg = (Math.atan2(-100, 500) * 180) / Math.PI - 5;
  run.images(10, { rangeMm: Math.hypot(500, 100), bearingDeg, yawDeg: -5 });
  assert.equal(run.summary, 'FINISHED');
});

test('the approach searches for the marker again after a command', () => {
  const run = moving()
    .ended('finished', 1000)
    .images(1, { ...AHEAD, rangeMm: 1000 });
  assert.deepEqual([run.summary, run.effects.length], ['LOOKING', 1]);
});

test('ignores images that were captured before the cart was stationary', () => {
  const run = moving().ended('finished', 1000);
  const capturedMs = run.nowMs;
  run.nowMs += 250;
  for (let i = 0; i < 20; i += 1)
    run.send({ kind: 'image', capturedMs: capturedMs + i, sighting: AT_GOAL, track: [] });
  assert.equal(run.summary, 'LOOKING');
});

test('turns towards the marker when a command ends with the marker outside the image', () => {
  const run = moving({ rangeMm: 2000, bearingDeg: 0, yawDeg: -35 }).ended('finished', 900, 60);
  const effect = run.effects[1];
  assert.ok(effect?.kind === 'move' && effect.motion.distanceMm === 0 && effect.motion.angleDeg < -30);
});

test("reverses when it is close to the marker but not on the marker's normal", () => {
  const [effect] = moving({ rangeMm: 600, bearingDeg: 0, yawDeg: 20 }).effects;
  assert.ok(effect?.kind === 'move' && effect.motion.distanceMm < -300);
});

test('drives towards a distant marker whose yaw is unknown', () => {
  const motion = { distanceMm: 500, angleDeg: 10, isSlow: false };
  assert.deepEqual(moving({ rangeMm: 2000, bearingDeg: 10, yawDeg: null }).effects, [
    { kind: 'move', motion },
  ]);
});

const ENDINGS: readonly [title: string, run: () => TestRun, reason: string][] = [
  ['the marker is not visible for 3 s', () => new TestRun().images(31, undefined), 'MARKER_LOST'],
  ['no image arrives for 2 s', () => new TestRun().ticks(2100), 'IMAGE_STALE'],
  ['a command is blocked', () => moving().ended('blocked', 100), 'BLOCKED'],
  ['a command fails', () => moving().ended('failed'), 'COMMAND_FAILED'],
  ['something else stops its command', () => moving().ended('stopped'), 'COMMAND_FAILED'],
  ['it is interrupted at a standstill', () => new TestRun().send({ kind: 'interrupted' }), 'STOPPED'],
  ['it is interrupted while moving', () => moving().send({ kind: 'interrupted' }), 'STOPPED'],
  ['a stop is not confirmed', () => moving().ticks(4000), 'TIMEOUT'],
  [
    'the yaw is unknown near the marker',
    () => moving({ rangeMm: 700, bearingDeg: 0, yawDeg: null }),
    'NOT_CONVERGING',
  ],
];
for (const [title, run, reason] of ENDINGS) {
  test(`the approach fails with ${reason} when ${title}`, () => assert.equal(run().summary, reason));
}

test('fails with IMAGE_STALE and does not move when all images are 400 ms old', () => {
  const run = new TestRun();
  for (let i = 0; i < 30; i += 1) {
    run.nowMs += 100;
    run.send({ kind: 'image', capturedMs: run.nowMs - 400, sighting: AHEAD, track: [] });
  }
  assert.deepEqual([run.summary, run.effects], ['IMAGE_STALE', []]);
});

test('fails with IMAGE_STALE and does not move when the camera image is frozen', () => {
  const run = new TestRun();
  for (let i = 0; i < 30; i += 1) {
    run.nowMs += 100;
    run.send({ kind: 'image', capturedMs: 50, sighting: AHEAD, track: [] });
  }
  assert.deepEqual([run.summary, run.effects], ['IMAGE_STALE', []]);
});

test('fails with NOT_CONVERGING when the commands do not bring the cart closer', () => {
  const run = new TestRun();
  for (let i = 0; i < 50 && run.state.phase !== 'FAILED'; i += 1)
    run.images(12, { ...AHEAD, rangeMm: 1500 }).ended('finished', 0);
  assert.equal(run.summary, 'NOT_CONVERGING');
});

test('the approach fails with TIMEOUT after three minutes', () => {
  const run = moving();
  run.nowMs = 180_001;
  run.send({ kind: 'tick' });
  assert.deepEqual([run.summary, run.effects.at(-1)], ['TIMEOUT', { kind: 'stop' }]);
});

test('stops within 350 ms of the last image while moving', () => {
  const run = moving();
  run.ticks(300);
  assert.deepEqual(run.effects.at(-1), { kind: 'stop' });
});

test('stops when the marker disappears from the images while the cart is near the marker', () => {
  const run = moving(NEAR).images(4, undefined);
  assert.deepEqual(run.effects.at(-1), { kind: 'stop' });
});

test('stops far from the marker when the images do not show the marker although it must be in view', () => {
  const run = moving().images(4, undefined, [at(100)]);
  assert.deepEqual(run.effects.at(-1), { kind: 'stop' });
});

test('keeps moving while the marker is not in the images because the cart has turned away', () => {
  const run = moving().images(10, undefined, [{ x: 0, y: 0, heading: 0.7 }]);
  assert.deepEqual(
    run.effects.filter(({ kind }) => kind === 'stop'),
    [],
  );
});

test('fails with MISMATCH when two consecutive images show the marker where it was 200 mm earlier', () => {
  const run = moving().images(1, AHEAD, [at(200)]);
  assert.equal(run.summary, 'MOVING');
  run.images(1, AHEAD, [at(200)]);
  assert.deepEqual([run.summary, run.effects.at(-1)], ['MISMATCH', { kind: 'stop' }]);
});

test('fails with MISMATCH when the measured range decreases by only 80 % of the distance driven', () => {
  const run = moving()
    .ended('finished', 1000)
    .images(12, { ...AHEAD, rangeMm: 1200 });
  assert.equal(run.summary, 'MISMATCH');
});

test('keeps moving while the images match one of the possible poses at their capture time', () => {
  const run = moving().images(5, { ...AHEAD, rangeMm: 1900 }, [at(100), at(150), at(200)]);
  assert.equal(run.summary, 'MOVING');
});

test('searches for the marker and drives again after a stop that the drive itself sent', () => {
  const run = moving()
    .ticks(300)
    .ended('stopped', 200)
    .images(10, { ...AHEAD, rangeMm: 1800 });
  assert.equal(run.effects.filter(({ kind }) => kind === 'move').length, 2);
});

test('sends a stop when the approach is interrupted while the cart is moving', () => {
  assert.deepEqual(moving().send({ kind: 'interrupted' }).effects.at(-1), { kind: 'stop' });
});

test('does nothing after the approach has ended', () => {
  const run = moving().send({ kind: 'interrupted' });
  const before = run.effects.length;
  run.ended('finished', 1000).images(20, AHEAD).ticks(1000);
  assert.deepEqual([run.summary, run.effects.length], ['STOPPED', before]);
});

test('the approach maintains its invariants in random walks', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = randomFrom(seed);
    const run = new TestRun();
    let [isMoving, commands] = [false, 0];
    for (let i = 0; i < 200; i += 1) {
      const before = run.effects.length;
      const wasEnded = run.state.phase === 'FINISHED' || run.state.phase === 'FAILED';
      run.nowMs += Math.floor(150 * random());
      const input = randomInput(random, run.nowMs);
      if (input.kind === 'ended') isMoving = false;
      run.send(input);
      for (const effect of run.effects.slice(before)) {
        assert.ok(!wasEnded, `seed ${seed}: an effect after the end`);
        if (effect.kind === 'stop') continue;
        assert.ok(!isMoving, `seed ${seed}: a second command during a command`);
        assert.ok(Math.abs(effect.motion.distanceMm) <= 1000 && Math.abs(effect.motion.angleDeg) <= 180);
        isMoving = true;
        commands += 1;
      }
      if (run.state.phase === 'FAILED' && !wasEnded && isMoving)
        assert.equal(run.effects.at(-1)?.kind, 'stop', `seed ${seed}: the cart keeps moving after the end`);
    }
    assert.ok(commands <= 41);
  }
});

function randomInput(random: () => number, nowMs: number): ApproachInput {
  const kind = random();
  const sighting = {
    rangeMm: 400 + 2600 * random(),
    bearingDeg: 60 * random() - 30,
    yawDeg: random() < 0.2 ? null : 120 * random() - 60,
  };
  const seen = random() < 0.8 ? sighting : undefined;
  if (kind < 0.8)
    return { kind: 'image', capturedMs: nowMs - Math.floor(350 * random()), sighting: seen, track: [] };
  if (kind < 0.85) return { kind: 'tick' };
  if (kind < 0.852) return { kind: 'interrupted' };
  const outcomes = ['finished', 'finished', 'finished', 'stopped', 'blocked', 'failed'] as const;
  const outcome = outcomes[Math.floor(outcomes.length * random() ** 2)] ?? 'finished';
  return { kind: 'ended', outcome, distanceMm: 1000 * random(), angleDeg: 60 * random() - 30 };
}

test('docks within 10 mm and 1 degree in simulations with slip, noise and lost images', () => {
  const docks = Array.from({ length: 40 }, (_, seed) => simulateDocking({ seed: 1000 + seed }));
  assert.deepEqual(
    docks.filter(({ state }) => state.phase !== 'FINISHED'),
    [],
  );
  const [mm, deg] = [docks.map((dock) => dock.mm), docks.map((dock) => dock.deg)];
  assert.ok(quantile(mm, 0.95) <= 10 && quantile(deg, 0.95) <= 1, `${quantile(mm, 0.95)} mm`);
});

test.run();
