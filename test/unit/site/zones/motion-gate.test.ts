import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { type GateMotion, gateMotion, INITIAL_GATE_STATE } from '../../../../src/site/zones/motion-gate.js';
import { speedTowards } from '../../../../src/site/zones/stopping.js';
import type { PlanPoint } from '../../../../src/site/zones/zone.js';
import { ZoneMap } from '../../../../src/site/zones/zone-map.js';
import { randomFrom } from '../../../helpers/random.js';
import {
  anyMotion,
  COARSE,
  type Covariance,
  crowd,
  decide,
  drive,
  FOOTPRINT,
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
  zone,
} from './drives.js';

const test = suite('motion gate');

const ORIGIN = { x: 0, y: 0, headingDeg: 0 };
/** With the footprint's front at 400 mm and the margin of 100 mm, 1500 mm are free. */
const WALL = zone(rectangle(2000, -5000, 3000, 5000));
const FREE_MM = 1500;
const STEP_MM = 20;

const free = (speed = 300, turn = 45) => ({
  isPermitted: true,
  maxSpeedMmps: speed,
  maxTurnDegps: turn,
  isEnforced: true,
});

const around = (headingSigmaDeg: number, xSigmaMm = 0): Covariance => [
  [xSigmaMm ** 2, 0, 0],
  [0, 0, 0],
  [0, 0, headingSigmaDeg ** 2],
];

test('permits every motion without zones, even if the pose is unknown', () => {
  assert.deepEqual(decide(siteOf([]), ORIGIN, move(90, 9000), { pose: undefined }), free());
});

test('permits a move that ends before the margin, and refuses a longer one with the free distance', () => {
  const site = siteOf([WALL]);
  assert.deepEqual(decide(site, ORIGIN, move(0, FREE_MM - 1)), free());
  const decision = decide(site, ORIGIN, move(0, FREE_MM + 200));
  assert.ok(!decision.isPermitted);
  const { freeDistanceMm = 0, ...rest } = decision;
  assert.deepEqual(rest, { isPermitted: false, code: 'ZONE_BLOCKED', zoneId: 'z1' });
  assert.ok(freeDistanceMm > FREE_MM - STEP_MM && freeDistanceMm <= FREE_MM, String(freeDistanceMm));
});

test('checks the line after the turn, also backwards', () => {
  const site = siteOf([WALL]);
  assert.ok(decide(site, ORIGIN, move(90, 9000)).isPermitted);
  assert.ok(!decide(site, { ...ORIGIN, headingDeg: -90 }, move(90, 2000)).isPermitted);
  assert.ok(!decide(site, { ...ORIGIN, headingDeg: 180 }, move(0, -2000)).isPermitted);
});

test('checks the tail, which swings out in a turn', () => {
  // The cart is beside the wall and has a long rear.
  const long = rectangle(-900, -200, 200, 200);
  const wall = zone(rectangle(-3000, 350, 3000, 1000));
  assert.ok(decide(siteOf([wall], long), ORIGIN, move(0, 2000)).isPermitted);
  assert.ok(!decide(siteOf([wall], long), ORIGIN, move(-45, 0)).isPermitted);
  assert.ok(decide(siteOf([wall]), ORIGIN, move(-10, 0)).isPermitted);
});

test('refuses a turn that ends outside a zone but sweeps it', () => {
  const post = zone(rectangle(-20, 420, 20, 460));
  assert.ok(!decide(siteOf([post]), ORIGIN, move(180, 0)).isPermitted);
});

test('finds zones that are smaller than the cart, and the inside of large ones', () => {
  const small = zone(rectangle(1000, -5, 1010, 5));
  assert.ok(!decide(siteOf([small]), ORIGIN, move(0, 3000)).isPermitted);
  const large = zone(rectangle(-9000, -9000, 9000, 9000));
  assert.ok(!decide(siteOf([large]), ORIGIN, move(0, 100)).isPermitted);
});

test('finds the only gap in a zone with 1,000 vertices', () => {
  const outer = Array.from({ length: 500 }, (_, i): PlanPoint => at(2500, 5 + (350 * i) / 499));
  const inner = Array.from({ length: 500 }, (_, i): PlanPoint => at(2000, 355 - (350 * i) / 499));
  const ring = siteOf([zone([...outer, ...inner])], rectangle(-50, -30, 50, 30), { ...RULES, marginMm: 50 });
  assert.ok(decide(ring, ORIGIN, move(0, 4000)).isPermitted);
  for (const turnDeg of [20, 90, 180, -20])
    assert.ok(!decide(ring, ORIGIN, move(turnDeg, 4000)).isPermitted, String(turnDeg));
});

const at = (radius: number, deg: number): PlanPoint => [
  radius * Math.cos(deg * RAD),
  radius * Math.sin(deg * RAD),
];

test('adds three standard deviations in the direction of the edge', () => {
  const site = siteOf([WALL]);
  const ends = (covariance: Covariance, mm: number) =>
    decide(site, ORIGIN, move(0, mm), { pose: poseAt(ORIGIN, covariance) }).isPermitted;
  assert.ok(ends(around(0, 50), FREE_MM - 151));
  assert.ok(!ends(around(0, 50), FREE_MM - 149));
  const sideways = [
    [0, 0, 0],
    [0, 2500, 0],
    [0, 0, 0],
  ];
  assert.ok(ends(sideways, FREE_MM - 1));
});

test('adds the uncertainty of the heading for the corner that it moves most', () => {
  // The front corners are 200 mm to the side, so a heading error of 3 degrees moves them 10.5 mm forward.
  const pose = { pose: poseAt(ORIGIN, around(1)) };
  const padMm = 200 * 3 * RAD;
  assert.ok(decide(siteOf([WALL]), ORIGIN, move(0, FREE_MM - padMm - 0.1), pose).isPermitted);
  assert.ok(!decide(siteOf([WALL]), ORIGIN, move(0, FREE_MM - padMm + 0.1), pose).isPermitted);
});

test('limits the speed if the heading could lead the cart through the margin while it stops', () => {
  const wall = zone(rectangle(-5000, 900, 9000, 1000));
  const pose = { pose: poseAt(ORIGIN, around(2.5)) };
  const beside = decide(siteOf([wall]), ORIGIN, drive(1000), { ...HAND, ...pose });
  assert.ok(beside.isPermitted);
  // At this speed, the cart stops within the distance in which 7.5 degrees lead it 50 mm sideways.
  const { maxSpeedMmps } = beside;
  const stopMm = maxSpeedMmps * 0.3 + maxSpeedMmps ** 2 / (2 * RULES.decelMmps2);
  assert.ok(Math.abs(stopMm * 7.5 * RAD - RULES.marginMm / 2) < 0.1, `${maxSpeedMmps} mm/s`);
  const far = siteOf([zone(rectangle(-5000, 4000, 9000, 4100))]);
  assert.deepEqual(decide(far, ORIGIN, drive(1000), { ...HAND, ...pose }), free(1000, 0));
  assert.deepEqual(decide(siteOf([wall]), ORIGIN, drive(300), { ...HAND, ...pose }), free(300, 0));
});

test('a long move along a wall ends before an error of the heading leads to the wall', () => {
  const sigmaDeg = 0.5;
  const start = { ...ORIGIN, headingDeg: 3 * sigmaDeg };
  const driven = ({ x, y }: { x: number; y: number }) => Math.hypot(x, y);
  const site = siteOf([zone(rectangle(-2000, 350, 20_000, 900))]);
  let nearest = Number.POSITIVE_INFINITY;
  let last = 0;
  const decisions = simulateDrive({
    site,
    start,
    // The gateway assumes that the cart drives along the wall, and knows how uncertain that is.
    error: (pose) => ({ x: driven(pose) - pose.x, y: -pose.y, headingDeg: -start.headingDeg }),
    covariance: (pose) => {
      const mm = driven(pose) * RAD;
      return [
        [0, 0, 0],
        [0, (mm * sigmaDeg) ** 2, mm * sigmaDeg ** 2],
        [0, mm * sigmaDeg ** 2, sigmaDeg ** 2],
      ];
    },
    request: { isHeld: false, isManual: false },
    motion: (nowMs, pose) => (nowMs > 40_000 ? undefined : move(0, 8000 - driven(pose))),
    onStep(pose) {
      nearest = Math.min(nearest, ...placed(FOOTPRINT, pose).map(([, y]) => 350 - y));
      last = driven(pose);
      return true;
    },
  });
  assert.ok(decisions[0]?.isPermitted && !decisions.at(-1)?.isPermitted);
  assert.ok(last > 1000 && last < 8000, `${last} mm`);
  // The margin of 100 mm, less the hysteresis and the distance in which the cart stops.
  assert.ok(nearest > 60, `${nearest} mm`);
});

test("adds the error of the plan's scale with the distance from its line", () => {
  const line = [
    [0, -1000],
    [0, 1000],
  ] as const;
  const { shape, rules } = siteOf([]);
  const site = { map: new ZoneMap([WALL], { line, errorShare: 0.01 }), shape, rules };
  const errorMm = 0.01 * (FREE_MM + shape.radiusMm);
  assert.ok(decide(site, ORIGIN, move(0, FREE_MM - errorMm - 1)).isPermitted);
  assert.ok(!decide(site, ORIGIN, move(0, FREE_MM - 0.01 * FREE_MM + 1)).isPermitted);
});

test('permits the speed from which the cart can stop before the edge', () => {
  const limits = { endMmps: 0, reactionS: 0.3, decelMmps2: 500 };
  // 300 * 0.3 + 300² / 1000 = 180.
  assert.equal(Math.round(speedTowards(180, limits)), 300);
  assert.equal(speedTowards(0, limits), 0);
  assert.equal(speedTowards(-5, limits), 0);
  assert.equal(speedTowards(0, { ...limits, endMmps: 100 }), 100);
  // 300 * 0.3 + (300² - 100²) / 1000 = 170.
  assert.equal(Math.round(speedTowards(170, { ...limits, endMmps: 100 })), 300);
});

for (const [freeMm, title] of [
  [250, 'at full speed far from a zone'],
  [100, 'more slowly near a zone'],
] as const) {
  test(`drives by hand ${title}`, () => {
    const decision = decide(siteOf([WALL]), { ...ORIGIN, x: FREE_MM - freeMm }, drive(300), HAND);
    assert.ok(decision.isPermitted);
    const most = (mm: number) =>
      Math.min(300, speedTowards(mm, { endMmps: 0, reactionS: 0.3, decelMmps2: 500 }));
    assert.ok(decision.maxSpeedMmps <= most(freeMm) && decision.maxSpeedMmps >= most(freeMm - STEP_MM));
  });
}

test('reduces a turn near a zone in the same way', () => {
  // The corner at 400, 200 reaches the pad after about 37 degrees.
  const wall = zone(rectangle(-2000, 500, 2000, 1000));
  const decision = decide(siteOf([wall]), ORIGIN, drive(0, 90), HAND);
  assert.ok(decision.isPermitted && decision.maxTurnDegps < 74 && decision.maxTurnDegps > 65);
  assert.deepEqual(decide(siteOf([wall]), ORIGIN, drive(0, 10), HAND), free(0, 10));
});

test('considers that a turning cart cannot change its direction at once', () => {
  // The cart drives along a wall on its left and is asked to turn right.
  const site = siteOf([zone(rectangle(-5000, 400, 9000, 900))]);
  const whileTurning = (turnDegps: number) =>
    decide(site, ORIGIN, drive(600, -20), { ...HAND, current: { speedMmps: 600, turnDegps } });
  assert.deepEqual(whileTurning(0), free(600, 20));
  assert.ok(!whileTurning(90).isPermitted);
});

test('assumes a longer reaction for an older pose', () => {
  const speedFor = (ageMs: number) => {
    const pose = { x: FREE_MM - 200, y: 0, headingDeg: 0 };
    const decision = decide(siteOf([WALL]), pose, drive(500), {
      ...HAND,
      current: { speedMmps: 100, turnDegps: 0 },
      pose: poseAt(pose, undefined, ageMs),
    });
    return decision.isPermitted ? decision.maxSpeedMmps : 0;
  };
  assert.equal(speedFor(0), speedFor(150));
  assert.ok(speedFor(250) < speedFor(150));
});

test('refuses driving for drivers without live limits unless the stop at full speed is free', () => {
  const fixed = { ...HAND, hasLiveLimits: false };
  const near = (freeMm: number) =>
    decide(siteOf([WALL]), { ...ORIGIN, x: FREE_MM - freeMm }, drive(300), fixed);
  assert.deepEqual(near(181 + STEP_MM), { ...free(), maxTurnDegps: 0 });
  assert.ok(!near(170).isPermitted);
});

test('after a stop at a zone, moves towards it again only from 30 mm', () => {
  const towards = (freeMm: number, isStopped: boolean) => {
    const state = { ...INITIAL_GATE_STATE, isStopped };
    return decide(siteOf([WALL]), { ...ORIGIN, x: FREE_MM - freeMm }, drive(300), HAND, state).isPermitted;
  };
  assert.deepEqual([towards(25, false), towards(25, true), towards(55, true)], [true, false, true]);
});

test('meets a speed limit at the edge of its zone, for all kinds of drivers', () => {
  for (const hasLiveLimits of [true, false]) {
    const polygon = rectangle(1500, -500, 2500, 500);
    const site = siteOf([zone(polygon, { kind: 'SPEED_LIMIT', maxSpeedMmps: 120 })]);
    let isFast = false;
    simulateDrive({
      site,
      start: ORIGIN,
      request: { hasLiveLimits },
      motion: (_nowMs, { x }) => (x > 3200 ? undefined : drive(500)),
      onStep({ x }, speed) {
        isFast ||= speed > 400;
        const isInside = x + 400 >= 1500 && x - 200 <= 2500;
        assert.ok(!isInside || speed <= 120.001, `${speed} mm/s at ${x}`);
        return true;
      },
    });
    assert.ok(isFast);
  }
});

test('sets the speed of a whole move for drivers without live limits', () => {
  const slow = zone(rectangle(1500, -500, 2500, 500), { kind: 'SPEED_LIMIT', maxSpeedMmps: 120 });
  assert.deepEqual(decide(siteOf([slow]), ORIGIN, move(0, 3000), { hasLiveLimits: false }), free(120));
  assert.deepEqual(decide(siteOf([slow]), ORIGIN, move(0, 3000)), free());
});

test('permits only hand driving in a MANUAL_ONLY zone', () => {
  const site = siteOf([{ ...WALL, kind: 'MANUAL_ONLY' }]);
  const refused = decide(site, ORIGIN, move(0, 3000));
  assert.equal(!refused.isPermitted && refused.code, 'ZONE_MANUAL_ONLY');
  assert.deepEqual(decide(site, { ...ORIGIN, x: 1900 }, drive(300), HAND), free(300, 0));
  const inside = decide(site, { ...ORIGIN, x: 1900 }, move(0, -1000), { isHeld: true });
  assert.equal(!inside.isPermitted && inside.code, 'ZONE_MANUAL_ONLY');
});

for (const [title, pose] of [
  ['unknown', undefined],
  ['LOST', { ...poseAt(ORIGIN), state: 'LOST' as const }],
  ['not from odometry', { ...poseAt(ORIGIN), ageMs: { odometry: null, markers: 0, beacons: null } }],
  ['not a number', poseAt({ ...ORIGIN, x: Number.NaN })],
  ['of unknown accuracy', poseAt(ORIGIN, [])],
  ['of impossible accuracy', poseAt(ORIGIN, around(1).with(0, [-1, 0, 0]))],
] as const) {
  test(`if the pose is ${title}, permits slow driving while held and refuses other motions`, () => {
    const site = siteOf([WALL]);
    assert.deepEqual(decide(site, ORIGIN, move(0, 100), { pose }), { isPermitted: false, code: 'POSE_LOST' });
    const held = decide(site, ORIGIN, drive(300, 90), { ...HAND, pose });
    const turn = 100 / Math.hypot(400, 200) / RAD;
    assert.deepEqual(held, { ...free(100, turn), isEnforced: false });
  });
}

test('a pose older than 300 ms counts as lost only while the cart moves', () => {
  const pose = poseAt(ORIGIN, undefined, 301);
  const current = { speedMmps: 100, turnDegps: 0 };
  assert.ok(decide(siteOf([WALL]), ORIGIN, move(0, 100), { pose }).isPermitted);
  const moving = decide(siteOf([WALL]), ORIGIN, move(0, 100), { pose, current });
  assert.deepEqual(moving, { isPermitted: false, code: 'POSE_LOST' });
});

test('limits the speed to 100 mm/s if the pose is COARSE', () => {
  const pose = { ...poseAt(ORIGIN), state: 'COARSE' as const };
  const decision = decide(siteOf([WALL]), ORIGIN, move(0, 1000), { pose });
  assert.equal(decision.isPermitted && decision.maxSpeedMmps, 100);
});

const INSIDE = { x: 1900, y: 0, headingDeg: 0 };

test('inside a BLOCKED zone, permits only held motions: turns, and driving that is not deeper', () => {
  const site = siteOf([WALL]);
  assert.ok(!decide(site, INSIDE, move(0, -1000)).isPermitted);
  const turn = decide(site, INSIDE, drive(0, 90), HAND);
  assert.deepEqual(turn, free(0, 100 / Math.hypot(400, 200) / RAD));
  assert.deepEqual(decide(site, INSIDE, drive(-300), HAND), free(100, 0));
  assert.ok(!decide(site, INSIDE, drive(300), HAND).isPermitted);
  assert.ok(decide(site, { ...INSIDE, headingDeg: 90 }, drive(300), HAND).isPermitted, 'along the edge');
});

test('inside a BLOCKED zone, repeated driving at a small angle does not lead deeper', () => {
  let deepest = 0;
  simulateDrive({
    site: siteOf([WALL]),
    start: { ...INSIDE, headingDeg: 85 },
    motion: (nowMs) => (nowMs > 20_000 ? undefined : drive(nowMs % 1000 < 700 ? 300 : 0)),
    onStep({ x }) {
      deepest = Math.max(deepest, x);
      return true;
    },
  });
  assert.ok(deepest < INSIDE.x + 15, `${deepest - INSIDE.x} mm`);
});

test('inside a BLOCKED zone, other zones still block', () => {
  const behind = zone(rectangle(-5000, -5000, 1560, 5000), { id: 'z2' });
  const decision = decide(siteOf([WALL, behind]), { ...INSIDE, x: 1850 }, drive(-300), HAND);
  assert.equal(!decision.isPermitted && decision.zoneId, 'z2');
});

test('inside two BLOCKED zones, driving does not lead deeper into either, and there is a way out', () => {
  // The cart's centre is 200 mm inside the wall and 300 mm inside the other zone.
  const start = { x: 2200, y: 0, headingDeg: 90 };
  const across = zone(rectangle(-5000, -300, 9000, 5000), { id: 'z2' });
  for (const zones of [
    [WALL, across],
    [across, WALL],
  ]) {
    const site = siteOf(zones);
    assert.ok(!decide(site, start, drive(300), HAND).isPermitted, 'deeper into the other zone');
    assert.ok(decide(site, start, drive(-300), HAND).isPermitted, 'out of it');
    let isOut = false;
    simulateDrive({
      site,
      start,
      motion(nowMs, { y, headingDeg }) {
        if (nowMs > 60_000) return undefined;
        // Out of the other zone, and then out of the wall.
        if (y > -550) return drive(-300);
        return headingDeg > 0.5 ? drive(0, -30) : drive(-300);
      },
      onStep(pose) {
        isOut = !zones.some(({ polygon }) => overlap(placed(FOOTPRINT, pose), polygon));
        return !isOut;
      },
    });
    assert.ok(isOut);
  }
});

test('inside a BLOCKED zone, a turn in place is permitted even beside another zone', () => {
  const beside = zone(rectangle(1500, 205, 1900, 900), { id: 'z2' });
  const request = { ...HAND, hasLiveLimits: false };
  const decision = decide(siteOf([WALL, beside]), { ...INSIDE, x: 1850 }, drive(0, -10), request);
  assert.ok(decision.isPermitted);
});

test('an override permits slow driving into a zone while held', () => {
  const overridden = { ...HAND, isOverridden: true };
  assert.deepEqual(decide(siteOf([WALL]), INSIDE, drive(300), overridden), {
    ...free(100, 0),
    isEnforced: false,
  });
  assert.ok(!decide(siteOf([WALL]), INSIDE, move(0, 100), { isOverridden: true }).isPermitted);
});

test('within the pad of a zone, permits driving away and along it slowly, but not towards it', () => {
  const site = siteOf([WALL]);
  const within = { x: FREE_MM + 20, y: 0, headingDeg: 0 };
  assert.ok(!decide(site, within, drive(300), HAND).isPermitted);
  assert.deepEqual(decide(site, within, drive(-300), HAND), free(100, 0));
  const beside = { ...within, headingDeg: 90, x: 2000 - 200 - 80 };
  assert.deepEqual(decide(site, beside, drive(300), HAND), free(100, 0));
});

test('repeated driving into a corner keeps the pad', () => {
  const walls = [zone(rectangle(0, -5000, 500, 500)), zone(rectangle(-5000, 0, 500, 500), { id: 'z2' })];
  let closest = Number.POSITIVE_INFINITY;
  simulateDrive({
    site: siteOf(walls),
    start: { x: -900, y: -900, headingDeg: 45 },
    motion: (nowMs) =>
      nowMs > 60_000 ? undefined : drive(nowMs % 4000 < 3000 ? 300 : -60, nowMs % 1400 < 700 ? 20 : -20),
    onStep(pose) {
      closest = Math.min(closest, ...placed(FOOTPRINT, pose).map(([x, y]) => -Math.max(x, y)));
      return true;
    },
  });
  assert.ok(closest > RULES.marginMm - 30 && closest < RULES.marginMm + 60, `${closest} mm`);
});

test('if the pose becomes less certain beside a zone, the cart comes at most 30 mm closer', () => {
  const site = siteOf([zone(rectangle(-9000, 400, 9000, 900))]);
  let state = INITIAL_GATE_STATE;
  let y = 0;
  // The edge is 200 mm from the cart's side, and the pad grows from 100 to 250 mm.
  const covariance = [
    [0, 0, 0],
    [0, 2500, 0],
    [0, 0, 0],
  ];
  for (let i = 0; i < 200; i++) {
    const pose = { x: 0, y, headingDeg: 5 };
    const request = requestOf(pose, drive(300), { ...HAND, pose: poseAt(pose, covariance) });
    const result = gateMotion(site, request, state);
    state = result.state;
    if (result.decision.isPermitted) y += 0.5;
  }
  assert.ok(y > 0 && y <= 31, `${y} mm`);
  // The pose jumps even closer to the edge; only driving away from the edge or along it remains permitted.
  const after = (headingDeg: number, motion: GateMotion) => {
    const pose = { x: 0, y: y + 40, headingDeg };
    const request = requestOf(pose, motion, { ...HAND, pose: poseAt(pose, covariance) });
    return gateMotion(site, request, state).decision.isPermitted;
  };
  assert.deepEqual([after(0, drive(300)), after(5, drive(300)), after(5, drive(-300))], [true, false, true]);
});

test('the cost of an evaluation is limited among 200 zones that surround a COARSE cart', () => {
  const random = randomFrom(1);
  const costs: number[] = [];
  for (let round = 0; round < 200; round++) {
    const site = siteOf(crowd(random, 450, 1000));
    const pose = { ...ORIGIN, headingDeg: 360 * random() };
    const current = { speedMmps: 1000 * random() - 500, turnDegps: 120 * random() - 60 };
    const known = { ...poseAt(pose, COARSE, 50), state: 'COARSE' as const };
    decide(site, pose, anyMotion(random), { ...HAND, pose: known, current });
    costs.push(site.map.edgeTests);
  }
  costs.sort((a, b) => a - b);
  const [middle = 0, most = 0] = [costs[100], costs.at(-1)];
  // About 0.1 µs each on a PC.
  assert.ok(middle < 60_000 && most < 100_000, `${middle} tests of edges, at most ${most}`);
});

test('only a held motion is permitted beside a zone that is within the pad', () => {
  const site = siteOf([zone(rectangle(-5000, 250, 5000, 1000))]);
  assert.ok(decide(site, ORIGIN, drive(100), HAND).isPermitted);
  assert.deepEqual(decide(site, ORIGIN, move(0, 2000)), {
    isPermitted: false,
    code: 'ZONE_BLOCKED',
    zoneId: 'z1',
    freeDistanceMm: 0,
  });
});

test.run();
