import assert from 'node:assert/strict';
import { test } from 'uvu';
import { countsFor, stopDistanceMm } from '../../../../src/carts/serial/codec/field-rules.js';
import { ControllerFaults } from '../../../../src/simulator/controller/faults.js';
import { HARDWARE } from '../../../../src/simulator/controller/motions.js';
import { BODY, SimulatedPlan, type Wall } from '../../../../src/simulator/field/plan.js';
import { DistanceSensors, SENSORS } from '../../../../src/simulator/field/sensors.js';
import { Chassis } from '../../../../src/simulator/physics/physics.js';
import { randomFrom } from '../../../helpers/random.js';
import { Host } from '../host.js';

const APPROACHES = 1000;
const STEP_MS = 10;
const LONGEST_MS = 120_000;
const MARGIN_MM = 100;
/** Reaction time of the controller, plus the maximum age of a measurement and one control step. */
const LATEST_MS = 160;
/** Maximum distance on a sensor's axis at which the sensor sees an obstacle that the cart is touching. */
const AXIS_MM = 60;
const WIDTHS_MM = { wall: 6000, box: 500, post: 60 };

interface Approach {
  kind: keyof typeof WIDTHS_MM;
  wall: Wall;
  speedMmps: number;
  decelMmps2: number;
  isForward: boolean;
  isJog: boolean;
  headingDeg: number;
  /** Distance that the cart can drive before it touches the obstacle. */
  gapMm: number;
}

/** Random speed, direction, obstacle and angle. The cart starts far enough away to reach full speed. */
function approachOf(random: () => number): Approach {
  const pick = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];
  const kind = pick('wall', 'wall', 'box', 'post');
  const speedMmps = Math.round(10 + random() ** 2 * (HARDWARE.maxSpeedMmps - 10));
  const decelMmps2 = pick(500, 1000, 2000);
  const isForward = random() < 0.5;
  const headingDeg = random() * 360 - 180;
  const incidenceRad = ((random() * 2 - 1) * 75 * Math.PI) / 180;
  const half = WIDTHS_MM[kind] / 2;
  // Part of the obstacle is always in the cart's path.
  const asideMm = (random() * 2 - 1) * (BODY.halfWidthMm + half * Math.cos(incidenceRad) - 5);
  const travelRad = (headingDeg * Math.PI) / 180 + (isForward ? 0 : Math.PI);
  const across = travelRad + Math.PI / 2;
  const [dx, dy] = [half * Math.cos(across + incidenceRad), half * Math.sin(across + incidenceRad)];
  const at = (aheadMm: number): Wall => {
    const x = aheadMm * Math.cos(travelRad) + asideMm * Math.cos(across);
    const y = aheadMm * Math.sin(travelRad) + asideMm * Math.sin(across);
    return { x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy };
  };
  const farMm = 20_000;
  const toContactMm = contactAt(at(farMm), headingDeg, isForward);
  const gapMm =
    speedMmps ** 2 / 1000 + stopDistanceMm(speedMmps, { reactionMs: 200, decelMmps2, marginMm: 300 });
  const wall = at(farMm - toContactMm + gapMm);
  return { kind, wall, speedMmps, decelMmps2, isForward, isJog: random() < 0.5, headingDeg, gapMm };
}

interface Outcome {
  isContact: boolean;
  /**
   * True if the part of the obstacle that the cart would touch is on the axis of a sensor, or if a sensor without
   * noise measured less than the stop distance early enough.
   */
  isSeen: boolean;
  clearanceMm: number;
}

/** Drives until the cart has stopped or touches the obstacle. */
function drive(approach: Approach, seed: number): Outcome {
  const { wall, speedMmps, decelMmps2, isForward, isJog, headingDeg, gapMm } = approach;
  const host = new Host({ protectiveField: true, seed, physics: { headingDeg } });
  host.controller.setWalls([wall]);
  host.controller.fault('sensorDropouts', true, 0.02);
  host.hello();
  host.send({ type: 'LIMITS', maxSpeedMmps: 1500, accelMmps2: 500, decelMmps2, omegaMaxDdegps: 900 });
  host.send({ type: 'FIELD', marginMm: MARGIN_MM, reactionMs: 100, flags: 1 });
  host.heartbeat();
  const plan = new SimulatedPlan();
  plan.walls = [wall];
  const cart = new Chassis({ headingDeg });
  const sensors = new DistanceSensors({
    plan,
    chassis: cart,
    faults: new ControllerFaults(),
    random: () => 0.5,
  });
  const direction = isForward ? 'forward' : 'backward';
  const counting = SENSORS.filter(({ angleDeg }) => countsFor(direction, angleDeg));
  const sign = isForward ? 1 : -1;
  const start = isJog
    ? host.jog(1, sign * speedMmps, 0, 1000)
    : host.move(1, sign * 20_000, 0, { maxSpeedMmps: speedMmps });
  assert.ok(isJog || start?.type === 'ACK');
  const axisMm = Math.min(
    ...counting.map((sensor) => sensors.trueDistance({ ...sensor, fieldOfViewDeg: 0.1 })),
  );
  let isSeen = axisMm - gapMm <= AXIS_MM;
  let travelledMm = 0;
  for (let ms = 0; ms < LONGEST_MS; ms += STEP_MS) {
    host.clock.advance(STEP_MS);
    if (ms % 100 === 0) host.heartbeat();
    if (isJog && ms % 200 === 0) host.jog(1, sign * speedMmps, 0, 1000);
    const { x, y, speed, wireId, contacts } = host.controller.snapshot();
    travelledMm = Math.hypot(x, y);
    [cart.xMm, cart.yMm] = [x, y];
    const v = Math.abs(speed);
    const inTime =
      gapMm - travelledMm >= stopDistanceMm(v, { reactionMs: LATEST_MS, decelMmps2, marginMm: 0 });
    const stopMm = stopDistanceMm(v, { reactionMs: 100, decelMmps2, marginMm: MARGIN_MM });
    if (inTime)
      isSeen ||= counting.some(
        (sensor) => sensors.trueDistance(sensor) < Math.min(stopMm, sensor.maxRangeMm),
      );
    if (contacts > 0 || wireId === 0) break;
  }
  const { contacts, wireId } = host.controller.snapshot();
  assert.ok(contacts > 0 || wireId === 0, 'the cart neither stopped nor touched the obstacle');
  host.controller.close();
  return { isContact: contacts > 0, isSeen, clearanceMm: gapMm - travelledMm };
}

/** Distance in mm that a cart at the origin can drive straight before it touches the wall. */
function contactAt(wall: Wall, headingDeg: number, isForward: boolean): number {
  const plan = new SimulatedPlan();
  plan.walls = [wall];
  const headingRad = (headingDeg * Math.PI) / 180;
  for (let mm = 0; mm < 40_000; mm += 2) {
    const signed = isForward ? mm : -mm;
    const cart = { xMm: signed * Math.cos(headingRad), yMm: signed * Math.sin(headingRad), headingRad };
    if (plan.touches(cart)) return mm;
  }
  throw new Error('the wall is not in the path of the cart');
}

// Fault case 44
test(`never touches an obstacle that a sensor detects in ${APPROACHES} approaches with noise and drop-outs`, () => {
  const random = randomFrom(20);
  const approaches = Array.from({ length: APPROACHES }, () => approachOf(random));
  const outcomes = approaches.map((approach, seed) => ({ ...approach, ...drive(approach, seed + 1) }));
  const seen = outcomes.filter(({ isSeen }) => isSeen);
  const contacts = outcomes.filter(({ isContact }) => isContact);
  const misses = contacts.filter(({ isSeen }) => !isSeen);
  const speeds = outcomes.map(({ speedMmps }) => speedMmps);
  const count = (kind: Approach['kind']): string => {
    const [missed, all] = [misses, outcomes].map((list) => list.filter((one) => one.kind === kind).length);
    return `${missed} of ${all} at a ${kind}`;
  };
  process.stdout.write(
    `\n  ${outcomes.length} approaches at ${Math.min(...speeds)} to ${Math.max(...speeds)} mm/s: ` +
      `${outcomes.length - contacts.length} stopped without contact, ${seen.length} of which had to; ` +
      `contacts in blind spots: ${misses.length} (${count('wall')}, ${count('box')}, ${count('post')})\n`,
  );
  assert.ok(seen.length > APPROACHES / 2, 'most obstacles are detected');
  assert.deepEqual(
    seen.filter(({ isContact }) => isContact),
    [],
  );
});

test('causes at most one false stop in a simulated hour of free driving with noise and drop-outs', () => {
  const host = new Host({ protectiveField: true, seed: 5 });
  // A corridor 2 m wide: the nearest obstacle is always farther away than the stop distance.
  host.controller.setWalls([
    { x1: -3000, y1: -1000, x2: 9000, y2: -1000 },
    { x1: -3000, y1: 1000, x2: 9000, y2: 1000 },
    { x1: -1500, y1: -1000, x2: -1500, y2: 1000 },
    { x1: 7500, y1: -1000, x2: 7500, y2: 1000 },
  ]);
  host.controller.fault('sensorDropouts', true, 0.02);
  host.ready();
  host.send({ type: 'FIELD', marginMm: MARGIN_MM, reactionMs: 100, flags: 1 });
  const startMs = host.clock.now();
  let moves = 0;
  while (host.clock.now() - startMs < 3_600_000) {
    moves += 1;
    const isAway = moves % 2 === 1;
    host.move(moves, isAway ? 6000 : -6000, 0, { maxSpeedMmps: 300 });
    host.untilStopped();
    const [end = ''] = host.eventCodes().slice(-1);
    // After a false stop, the cart drives on to the end at which the next move begins.
    if (end.startsWith('failed')) {
      moves += 1;
      host.move(moves, Math.round((isAway ? 6000 : 0) - host.controller.snapshot().x), 0, {
        maxSpeedMmps: 300,
      });
      host.untilStopped();
    }
  }
  const stops = host.eventCodes().filter((event) => event.startsWith('failed'));
  process.stdout.write(`\n  ${stops.length} false stops in ${moves} moves during one simulated hour\n`);
  assert.ok(moves > 150, `${moves} moves`);
  assert.ok(stops.length <= 1, stops.join());
  assert.equal(host.controller.snapshot().contacts, 0);
});

test.run();
