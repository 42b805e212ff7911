import { approach, brakingSpeed } from '../../../../src/shared/motion-profile.js';
import { CartShape } from '../../../../src/site/zones/cart-shape.js';
import {
  type GateDecision,
  type GateMotion,
  type GateRequest,
  type GateRules,
  type GateSite,
  type GateState,
  gateMotion,
  INITIAL_GATE_STATE,
} from '../../../../src/site/zones/motion-gate.js';
import type { PlanPoint, Zone } from '../../../../src/site/zones/zone.js';
import { ZoneMap } from '../../../../src/site/zones/zone-map.js';

export const RAD = Math.PI / 180;

export const RULES: GateRules = {
  marginMm: 100,
  accelMmps2: 500,
  decelMmps2: 500,
  turnAccelDegps2: 180,
  turnDecelDegps2: 180,
};

/** A cart whose drive axle is behind its middle. */
export const FOOTPRINT: readonly PlanPoint[] = [
  [400, -200],
  [400, 200],
  [-200, 200],
  [-200, -200],
];

export interface TruePose {
  x: number;
  y: number;
  headingDeg: number;
}

export function rectangle(x1: number, y1: number, x2: number, y2: number): PlanPoint[] {
  return [
    [x1, y1],
    [x2, y1],
    [x2, y2],
    [x1, y2],
  ];
}

export function zone(polygon: PlanPoint[], more: Partial<Zone> = {}): Zone {
  return { id: 'z1', kind: 'BLOCKED', name: 'Stairs', polygon, ...more };
}

export function siteOf(zones: Zone[], footprint = FOOTPRINT, rules = RULES): GateSite {
  const corners = footprint.map(([xMm, yMm]) => ({ xMm, yMm }));
  return { map: new ZoneMap(zones), shape: new CartShape(corners), rules };
}

/** Returns 200 zones with 5,000 vertices in a ring around the origin; every fourth one is a SPEED_LIMIT zone. */
export function crowd(random: () => number, innerMm: number, outerMm: number): Zone[] {
  const between = (low: number, high: number): number => low + (high - low) * random();
  return Array.from({ length: 200 }, (_, i) => {
    const [angle, radius] = [between(0, 2 * Math.PI), between(50, 300)];
    const distance = between(innerMm, outerMm) + radius;
    const polygon = Array.from({ length: 25 }, (__, corner): PlanPoint => {
      const [turn, length] = [(2 * Math.PI * corner) / 25, radius * between(0.9, 1)];
      return [
        distance * Math.cos(angle) + length * Math.cos(turn),
        distance * Math.sin(angle) + length * Math.sin(turn),
      ];
    });
    const slow = { kind: 'SPEED_LIMIT', maxSpeedMmps: 100 } as const;
    return zone(polygon, { id: `z${i}`, ...(i % 4 === 3 && slow) });
  });
}

/** Returns a move of up to 10 m or a jog. */
export function anyMotion(random: () => number): GateMotion {
  const between = (low: number, high: number): number => low + (high - low) * random();
  if (random() >= 0.3) return drive(between(-1000, 1000), between(-90, 90));
  return {
    kind: 'move',
    turnDeg: between(-180, 180),
    distanceMm: between(0, 10_000),
    speedMmps: 500,
    turnDegps: 60,
  };
}

/** Covariance of x, y and heading in mm and degrees. */
export type Covariance = readonly (readonly number[])[];

const CERTAIN: Covariance = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];

export function poseAt({ x, y, headingDeg }: TruePose, covariance = CERTAIN, ageMs = 0) {
  return {
    xMm: x,
    yMm: y,
    headingDeg,
    covariance,
    state: 'GOOD' as const,
    ageMs: { odometry: ageMs, markers: null, beacons: null },
  };
}

/** Standard deviations of 350 mm and 8 degrees. */
export const COARSE: Covariance = [
  [122_500, 0, 0],
  [0, 122_500, 0],
  [0, 0, 64],
];

export const HAND = { isManual: true, isHeld: true } as const;

/** Evaluates a motion of a stationary cart at a pose. */
export function decide(
  site: GateSite,
  pose: TruePose,
  motion: GateMotion,
  more: Partial<GateRequest> = {},
  state: GateState = INITIAL_GATE_STATE,
): GateDecision {
  return gateMotion(site, requestOf(pose, motion, more), state).decision;
}

export function requestOf(pose: TruePose, motion: GateMotion, more: Partial<GateRequest>): GateRequest {
  return {
    motion,
    pose: poseAt(pose),
    current: { speedMmps: 0, turnDegps: 0 },
    isManual: false,
    isHeld: false,
    isOverridden: false,
    hasLiveLimits: true,
    ...more,
  };
}

export const drive = (speedMmps: number, turnDegps = 0): GateMotion => ({
  kind: 'jog',
  speedMmps,
  turnDegps,
});

export const move = (turnDeg: number, distanceMm: number): GateMotion => ({
  kind: 'move',
  turnDeg,
  distanceMm,
  speedMmps: 300,
  turnDegps: 45,
});

/** Returns the corners of an outline on the plan. */
export function placed(outline: readonly PlanPoint[], { x, y, headingDeg }: TruePose): PlanPoint[] {
  const [cos, sin] = [Math.cos(headingDeg * RAD), Math.sin(headingDeg * RAD)];
  return outline.map(([ahead, left]) => [x + ahead * cos - left * sin, y + ahead * sin + left * cos]);
}

/** Returns true if two polygons have a common point. Independent of the gate. */
export function overlap(a: readonly PlanPoint[], b: readonly PlanPoint[]): boolean {
  return (
    sides(a).some(([p, q]) => sides(b).some(([r, s]) => crosses(p, q, r, s))) ||
    contains(a, b[0]) ||
    contains(b, a[0])
  );
}

function sides(polygon: readonly PlanPoint[]): [PlanPoint, PlanPoint][] {
  return polygon.map((point, i) => [point, polygon[(i + 1) % polygon.length] ?? point]);
}

function crosses(p: PlanPoint, q: PlanPoint, r: PlanPoint, s: PlanPoint): boolean {
  const side = (a: PlanPoint, b: PlanPoint, c: PlanPoint) =>
    Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  return side(p, q, r) !== side(p, q, s) && side(r, s, p) !== side(r, s, q);
}

function contains(polygon: readonly PlanPoint[], point: PlanPoint | undefined): boolean {
  if (!point) return false;
  const [x, y] = point;
  const crossings = sides(polygon).filter(
    ([[x1, y1], [x2, y2]]) => y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1),
  );
  return crossings.length % 2 === 1;
}

const STEP_MS = 10;
const EVALUATE_MS = 50;
/** Time from an evaluation until the controller applies it. */
const LATENCY_MS = 100;

interface DriveOptions {
  site: GateSite;
  start: TruePose;
  /**
   * Called before every evaluation, and for a move, of which it returns the remaining part, every 10 ms; undefined ends
   * the drive.
   */
  motion: (nowMs: number, pose: TruePose) => GateMotion | undefined;
  /** Difference between the measured and the true pose; constant unless it depends on the true pose. */
  error?: TruePose | ((pose: TruePose) => TruePose);
  covariance?: Covariance | ((pose: TruePose) => Covariance);
  poseAgeMs?: number;
  request?: Partial<GateRequest>;
  /** Called every 10 ms; false ends the drive. */
  onStep: (pose: TruePose, speedMmps: number) => boolean | undefined;
}

/** Simulates a controller that ramps the speed and the turn rate independently. */
export function simulateDrive(options: DriveOptions): GateDecision[] {
  const { site, start, motion, error, covariance, poseAgeMs = 0, request, onStep } = options;
  const { decelMmps2, turnDecelDegps2 } = site.rules;
  let pose = start;
  let [speed, turn] = [0, 0];
  let state = INITIAL_GATE_STATE;
  const goals: { atMs: number; speed: number; turn: number; maxSpeed: number; maxTurn: number }[] = [];
  const poses = [start];
  let asked: GateMotion = drive(0);
  const decisions: GateDecision[] = [];
  for (let nowMs = 0; ; nowMs += STEP_MS) {
    if (nowMs % EVALUATE_MS === 0) {
      const next = motion(nowMs, pose);
      if (!next) return decisions;
      asked = next;
      const old = poses.at(-1 - Math.round(poseAgeMs / STEP_MS)) ?? start;
      const off = typeof error === 'function' ? error(old) : error;
      const measured = {
        x: old.x + (off?.x ?? 0),
        y: old.y + (off?.y ?? 0),
        headingDeg: old.headingDeg + (off?.headingDeg ?? 0),
      };
      const known = typeof covariance === 'function' ? covariance(old) : covariance;
      const result = gateMotion(
        site,
        requestOf(measured, asked, {
          ...HAND,
          ...request,
          pose: poseAt(measured, known, poseAgeMs),
          current: { speedMmps: speed, turnDegps: turn },
        }),
        state,
      );
      state = result.state;
      decisions.push(result.decision);
      const { decision } = result;
      goals.push({
        atMs: nowMs + LATENCY_MS,
        speed: asked.kind === 'jog' ? asked.speedMmps : 0,
        turn: asked.kind === 'jog' ? asked.turnDegps : 0,
        maxSpeed: decision.isPermitted ? decision.maxSpeedMmps : 0,
        maxTurn: decision.isPermitted ? decision.maxTurnDegps : 0,
      });
    }
    const received = goals.findLast(({ atMs }) => atMs <= nowMs) ?? STANDSTILL;
    const left = asked.kind === 'move' ? motion(nowMs, pose) : undefined;
    const wanted = left?.kind === 'move' ? velocityOf(left, site.rules) : received;
    const goal = {
      speed: limited(wanted.speed, received.maxSpeed),
      turn: limited(wanted.turn, received.maxTurn),
    };
    const [before, turnBefore] = [speed, turn];
    speed = approach(speed, goal.speed, { accel: decelMmps2, decel: decelMmps2 }, STEP_MS / 1000);
    turn = approach(turn, goal.turn, { accel: turnDecelDegps2, decel: turnDecelDegps2 }, STEP_MS / 1000);
    const turned = (((turn + turnBefore) / 2) * STEP_MS) / 1000;
    const driven = (((speed + before) / 2) * STEP_MS) / 1000;
    const middle = (pose.headingDeg + turned / 2) * RAD;
    pose = {
      x: pose.x + driven * Math.cos(middle),
      y: pose.y + driven * Math.sin(middle),
      headingDeg: pose.headingDeg + turned,
    };
    poses.push(pose);
    if (onStep(pose, speed) === false) return decisions;
  }
}

const STANDSTILL = { speed: 0, turn: 0, maxSpeed: 0, maxTurn: 0 };

function limited(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/** Returns the velocity with which a controller follows a move: it turns, and then drives. */
function velocityOf(
  { turnDeg, distanceMm, speedMmps, turnDegps }: GateMotion & { kind: 'move' },
  rules: GateRules,
) {
  const towards = (left: number, most: number, decel: number) =>
    Math.sign(left) * Math.min(most, brakingSpeed(Math.abs(left), decel, STEP_MS / 1000));
  return turnDeg === 0
    ? { speed: towards(distanceMm, speedMmps, rules.decelMmps2), turn: 0 }
    : { speed: 0, turn: towards(turnDeg, turnDegps, rules.turnDecelDegps2) };
}
