import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../../src/shared/package-root.js';
import {
  type GateMotion,
  type GateSite,
  gateMotion,
  INITIAL_GATE_STATE,
} from '../../../../src/site/zones/motion-gate.js';
import type { PlanPoint } from '../../../../src/site/zones/zone.js';
import { normalFrom, randomFrom, rounds, testSeed } from '../../../helpers/random.js';
import {
  type Covariance,
  decide,
  drive,
  HAND,
  move,
  overlap,
  placed,
  poseAt,
  RAD,
  RULES,
  rectangle,
  requestOf,
  simulateDrive,
  siteOf,
  type TruePose,
  zone,
} from './drives.js';

const test = suite('random drives among zones');

const random = randomFrom(testSeed());
const normal = normalFrom(random);
const between = (low: number, high: number): number => low + (high - low) * random();

function star(x: number, y: number, radiusMm: number): PlanPoint[] {
  const count = Math.floor(between(3, 12));
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.8 * random())) / count;
    const distance = radiusMm * between(0.4, 1);
    return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)];
  });
}

function randomFootprint(): PlanPoint[] {
  const [front, rear, side] = [between(100, 700), between(100, 700), between(100, 400)];
  return random() < 0.5
    ? rectangle(-rear, -side, front, side)
    : [
        [front, 0],
        [between(-50, 50), side],
        [-rear, between(0, side)],
        [-rear, between(-side, 0)],
        [between(-50, 50), -side],
      ];
}

/** Returns a covariance and an error within three standard deviations of it in every direction. */
function randomError(): { covariance: Covariance; error: TruePose } {
  const factor = [
    [between(2, 25), 0, 0],
    [between(-15, 15), between(2, 25), 0],
    [between(-0.5, 0.5), between(-0.5, 0.5), between(0.1, 0.8)],
  ];
  const at = (i: number, j: number): number => factor[i]?.[j] ?? 0;
  const axes = [0, 1, 2];
  const covariance = axes.map((i) => axes.map((j) => axes.reduce((sum, k) => sum + at(i, k) * at(j, k), 0)));
  const direction = axes.map(normal);
  const length = Math.hypot(...direction);
  const scale = (3 * (random() < 0.5 ? 1 : random())) / length;
  const [x = 0, y = 0, headingDeg = 0] = axes.map((i) =>
    axes.reduce((sum, k) => sum + at(i, k) * (direction[k] ?? 0) * scale, 0),
  );
  return { covariance, error: { x, y, headingDeg } };
}

function anyPose(): TruePose {
  return { x: between(-3000, 3000), y: between(-3000, 3000), headingDeg: between(0, 360) };
}

const PERIOD_MS = 8000;
const MOVE_MS = 6000;

/** Returns motions by hand that change every second. */
function jogs() {
  let asked = drive(0);
  return (nowMs: number) => {
    if (nowMs % 1000 === 0)
      asked = drive(random() < 0.2 ? 0 : between(-600, 600), random() < 0.3 ? 0 : between(-60, 60));
    return asked;
  };
}

/** Returns a move every 8 s; after 6 s, the cart is stopped if it is still moving. */
function moves() {
  let from: TruePose | undefined;
  let asked = move(0, 0);
  let hasTurned = false;
  return (nowMs: number, pose: TruePose): GateMotion => {
    const isStopped = nowMs % PERIOD_MS >= MOVE_MS;
    if (isStopped) from = undefined;
    if (isStopped) return drive(0);
    if (!from) {
      from = pose;
      hasTurned = false;
      asked = move(between(-120, 120), between(-1500, 1500));
    }
    if (asked.kind !== 'move') return asked;
    const leftDeg = asked.turnDeg - (pose.headingDeg - from.headingDeg);
    hasTurned ||= Math.abs(leftDeg) < 0.5;
    if (!hasTurned) return { ...asked, turnDeg: leftDeg };
    const driven = Math.hypot(pose.x - from.x, pose.y - from.y);
    const left = Math.max(0, Math.abs(asked.distanceMm) - driven);
    return { ...asked, turnDeg: 0, distanceMm: Math.sign(asked.distanceMm) * left };
  };
}

interface Drive {
  footprint: readonly PlanPoint[];
  zones: readonly (readonly PlanPoint[])[];
  /** x and y in mm, and the heading in radians. */
  poses: (readonly [number, number, number])[];
}

/** Interval of the poses that the other program checks, in steps of the simulation. */
const JUDGED_EVERY = 5;
const JUDGE = join(packageRoot(), 'test/unit/site/zones/judge.py');
/** The interpreter for which Debian installs python3-shapely. */
const PYTHON = '/usr/bin/python3';

/** Checks the poses with a program that shares no code with the gateway. */
function judge(drives: readonly Drive[]): void {
  if (spawnSync(PYTHON, ['-c', 'import shapely']).status !== 0)
    return void process.stdout.write('SKIPPED: drives checked by another program (no python3-shapely)\n');
  const input = drives.map((drive) => `${JSON.stringify(drive)}\n`).join('');
  const { stdout, stderr } = spawnSync(PYTHON, [JUDGE], { input, encoding: 'utf8', maxBuffer: 2 ** 20 });
  assert.ok(stdout, stderr);
  const { poses, overlaps } = JSON.parse(stdout) as { poses: number; overlaps: unknown[] };
  assert.equal(
    poses,
    drives.reduce((sum, drive) => sum + drive.poses.length, 0),
  );
  assert.deepEqual(overlaps, []);
}

for (const [title, motions, count, durationMs] of [
  ['by hand', jogs, rounds(150, 7000), 8000],
  ['with moves', moves, rounds(50, 3000), 3 * PERIOD_MS],
] as const) {
  test(`${title}, no part of the cart enters a zone while the error of the pose is within 3 sigma`, () => {
    let refused = 0;
    let permitted = 0;
    const drives: Drive[] = [];
    for (let round = 0; round < count; round++) {
      const zones = Array.from({ length: 8 }, (_, i) =>
        zone(star(between(-3000, 3000), between(-3000, 3000), between(200, 1200)), { id: `z${i}` }),
      );
      const footprint = randomFootprint();
      const site = siteOf(zones, footprint, { ...RULES, marginMm: 30 });
      const { covariance, error } = randomError();
      const start = anyPose();
      const measured = {
        x: start.x + error.x,
        y: start.y + error.y,
        headingDeg: start.headingDeg + error.headingDeg,
      };
      const first = requestOf(measured, drive(1), { ...HAND, pose: poseAt(measured, covariance) });
      const { decision, state } = gateMotion(site, first, INITIAL_GATE_STATE);
      const isClear = decision.isPermitted && state.pads.size === 0 && state.depthMm === undefined;
      const isOutside = zones.every(({ polygon }) => !overlap(placed(footprint, start), polygon));
      if (!isClear || !isOutside) continue;
      const next = motions();
      const poses: Drive['poses'] = [];
      drives.push({ footprint, zones: zones.map(({ polygon }) => polygon), poses });
      let steps = 0;
      const decisions = simulateDrive({
        site,
        start,
        error,
        covariance,
        poseAgeMs: 10 * Math.floor(between(0, 15)),
        request: { hasLiveLimits: random() < 0.7 },
        motion: (nowMs, pose) => (nowMs >= durationMs ? undefined : next(nowMs, pose)),
        onStep(pose) {
          if (steps++ % JUDGED_EVERY === 0) poses.push([pose.x, pose.y, pose.headingDeg * RAD]);
          const outline = placed(footprint, pose);
          const entered = zones.find(({ polygon }) => overlap(outline, polygon));
          assert.equal(entered, undefined, `round ${round}: in ${entered?.id} at ${JSON.stringify(pose)}`);
          return true;
        },
      });
      for (const { isPermitted } of decisions) isPermitted ? permitted++ : refused++;
    }
    assert.ok(refused > 0 && permitted > refused, `${permitted} permitted, ${refused} refused`);
    judge(drives);
  });
}

/** Returns three standard deviations of the outline's position in a direction of the plan, by sampling its corners. */
function threeSigma(
  footprint: readonly PlanPoint[],
  covariance: Covariance,
  pose: TruePose,
  normalDeg: number,
): number {
  const [nx, ny] = [Math.cos(normalDeg * RAD), Math.sin(normalDeg * RAD)];
  const variances = placed(footprint, pose).map(([x, y]) => {
    const lever = [nx, ny, (-(y - pose.y) * nx + (x - pose.x) * ny) * RAD];
    return lever.reduce(
      (sum, a, i) => sum + lever.reduce((part, b, j) => part + a * b * (covariance[i]?.[j] ?? 0), 0),
      0,
    );
  });
  return 3 * Math.sqrt(Math.max(...variances));
}

test('a corridor of the width of the cart and two pads is free, and a narrower one is not', () => {
  for (let round = 0; round < rounds(200, 5000); round++) {
    const footprint = randomFootprint();
    const { covariance } = randomError();
    const pose = anyPose();
    const padMm = threeSigma(footprint, covariance, pose, pose.headingDeg + 90) + RULES.marginMm;
    const reach = (side: 1 | -1) => Math.max(...footprint.map(([, y]) => side * y)) + padMm;
    const walls = (spareMm: number) =>
      ([1, -1] as const).map((side) => {
        const near = side * (reach(side) + spareMm);
        return zone(placed(rectangle(-2000, near, 8000, near + side * 500), pose), { id: `wall ${side}` });
      });
    const motion = move(0, between(-2000, 6000));
    const at = (spareMm: number) =>
      decide(siteOf(walls(spareMm), footprint), pose, motion, {
        pose: poseAt(pose, covariance),
        hasLiveLimits: false,
      });
    assert.deepEqual(at(0.1), { isPermitted: true, maxSpeedMmps: 300, maxTurnDegps: 45, isEnforced: true });
    const narrow = at(-RULES.marginMm / 2);
    assert.ok(!narrow.isPermitted || narrow.maxSpeedMmps <= 100, `round ${round}`);
  }
});

test('a move towards a slanted edge may end at the pad, and not beyond it', () => {
  for (let round = 0; round < rounds(200, 5000); round++) {
    const footprint = randomFootprint();
    const { covariance } = randomError();
    const pose = anyPose();
    const slantDeg = between(-60, 60);
    const normalDeg = pose.headingDeg + slantDeg;
    const padMm = threeSigma(footprint, covariance, pose, normalDeg) + RULES.marginMm;
    const slant = slantDeg * RAD;
    const reach = Math.max(...footprint.map(([x, y]) => x * Math.cos(slant) + y * Math.sin(slant)));
    const distance = reach + padMm + between(100, 3000);
    const wall = zone(
      placed(rectangle(distance, -20_000, distance + 100, 20_000), { ...pose, headingDeg: normalDeg }),
    );
    const freeMm = (distance - reach - padMm) / Math.cos(slant);
    const isFree = (mm: number) =>
      decide(siteOf([wall], footprint), pose, move(0, mm), { pose: poseAt(pose, covariance) }).isPermitted;
    assert.ok(!isFree(freeMm + 0.1), `round ${round}`);
    assert.ok(isFree(freeMm - 0.1), `round ${round}`);
  }
});

test('there is a way out of every zone', () => {
  let inside = 0;
  while (inside < rounds(200, 1000)) {
    const polygon = star(0, 0, between(300, 2500));
    const footprint = randomFootprint();
    const site = siteOf([zone(polygon)], footprint);
    const start = anyPose();
    if (!overlap(placed(footprint, start), polygon)) continue;
    inside++;
    // The operator drives in the direction in which the depth decreases fastest, until the gate stops the cart.
    let isOut = false;
    let awayDeg = directionOut(site, start);
    let before = { ...start, atMs: 0 };
    simulateDrive({
      site,
      start,
      motion(nowMs, pose) {
        if (nowMs > 300_000) return undefined;
        const hasMoved =
          Math.hypot(pose.x - before.x, pose.y - before.y) > 1 ||
          Math.abs(pose.headingDeg - before.headingDeg) > 0.1;
        if (hasMoved) before = { ...pose, atMs: nowMs };
        else if (nowMs - before.atMs > 1000) awayDeg = directionOut(site, pose);
        const offDeg = ((((awayDeg - pose.headingDeg + 180) % 360) + 360) % 360) - 180;
        if (Math.abs(offDeg) > 0.5) return drive(0, Math.max(-30, Math.min(30, offDeg * 2)));
        return drive(300);
      },
      onStep(pose, speed) {
        assert.ok(speed <= 100.001);
        isOut = !overlap(placed(footprint, pose), polygon);
        return !isOut;
      },
    });
    assert.ok(isOut, `zone ${JSON.stringify(polygon)}, cart ${JSON.stringify({ footprint, start })}`);
  }
});

/** Returns the direction in which the depth falls most. */
function directionOut({ map }: GateSite, { x, y }: TruePose): number {
  const depth = (deg: number) => map.depthMm([0], x + Math.cos(deg * RAD), y + Math.sin(deg * RAD));
  const directions = Array.from({ length: 360 }, (_, deg) => ({ deg, depth: depth(deg) }));
  return directions.reduce((best, next) => (next.depth < best.depth ? next : best)).deg;
}

test('a cart that is partly inside a zone can drive along its edge', () => {
  for (let round = 0; round < rounds(200, 1000); round++) {
    const footprint = randomFootprint();
    const half = Math.max(...footprint.map(([, y]) => y));
    const wallDeg = between(0, 360);
    const pose = { x: 0, y: 0, headingDeg: wallDeg };
    const edge = between(-half + 1, half - 1);
    const polygon = placed(rectangle(-5000, edge, 5000, edge + 3000), pose);
    const decision = decide(
      siteOf([zone(polygon)], footprint),
      pose,
      drive(random() < 0.5 ? 300 : -300),
      HAND,
    );
    assert.deepEqual(
      decision.isPermitted && decision.maxSpeedMmps,
      100,
      JSON.stringify({ footprint, edge, wallDeg }),
    );
  }
});

test.run();
