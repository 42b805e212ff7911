import type { PlanPose } from '../../shared/ports/navigation/plan-pose.js';
import { brakingPath, type Ramps, type Velocity } from './braking-path.js';
import type { CartShape } from './cart-shape.js';
import { speedTowards, stoppingMm } from './stopping.js';
import { type Arc, type Placement, poseOn, Sweep } from './sweep.js';
import type { ZoneMap } from './zone-map.js';

const RAD = Math.PI / 180;
/** Speed limit inside a `BLOCKED` zone or its pad, and if the pose is not `GOOD`. */
export const CREEP_MMPS = 100;
const MAX_POSE_AGE_MS = 300;
/** Time in ms from the evaluation until the cart brakes. */
const REACTION_MS = 150;
const MIN_REACTION_MS = 300;
/** A cart that was stopped at a zone moves towards it again only if this distance is free. */
const HYSTERESIS_MM = 30;
/** Tolerance for the steps of the sweep and for inaccurate driving along an edge. */
const TOLERANCE_MM = 5;
const DEPTH_STEP_MM = 20;
/** Length of path on the way out of a zone that is checked at once; the cart covers it in 5 s or more. */
const WAY_OUT_MM = 500;
/** Shares of the velocity that are tried while the cart's velocity changes on an arc. */
const SHARES = [1, 0.5, 0.25];

export interface GateRules extends Ramps {
  /** Free space around the outline for tracking errors and as a reserve. */
  marginMm: number;
}

/** A motion of a differential cart. Positive values are forward and to the left. */
export type GateMotion =
  /** A turn in place, then a straight line. While the cart moves, the part that remains. */
  | { kind: 'move'; turnDeg: number; distanceMm: number; speedMmps: number; turnDegps: number }
  /** Driving at constant speeds until further notice. */
  | { kind: 'jog'; speedMmps: number; turnDegps: number };

export interface GateRequest {
  motion: GateMotion;
  /** The cart's pose; undefined if unknown. */
  pose: Pick<PlanPose, 'xMm' | 'yMm' | 'headingDeg' | 'covariance' | 'state' | 'ageMs'> | undefined;
  /** The cart's velocity according to its telemetry. */
  current: Velocity;
  /** True for hand driving, which `MANUAL_ONLY` zones permit. */
  isManual: boolean;
  /** True while an operator holds a control, as in hand driving: the motion ends when it is released. */
  isHeld: boolean;
  /** True if the zones may be wrong or missing. Then the pose is of no use, also without zones. */
  needsReview?: boolean;
  /** True while an operator has switched the zones off. */
  isOverridden: boolean;
  /** True if the driver can change the speed limits of a running motion. */
  hasLiveLimits: boolean;
}

export type GateDecision =
  | {
      isPermitted: true;
      maxSpeedMmps: number;
      maxTurnDegps: number;
      /** False if the motion is permitted although it is not known to be outside all zones. */
      isEnforced: boolean;
    }
  | {
      isPermitted: false;
      code: 'ZONE_BLOCKED' | 'ZONE_MANUAL_ONLY' | 'POSE_LOST';
      zoneId?: string;
      /** Distance that the cart can drive before it reaches the zone; 0 if it already turns into the zone. */
      freeDistanceMm?: number;
    };

/** What the gate remembers between evaluations. */
export interface GateState {
  /** True if the last evaluation stopped the cart at a zone. */
  isStopped: boolean;
  /** For zones within the pad: the widest pad that was free since the zone came within the pad, in mm. */
  pads: ReadonlyMap<string, number>;
  /** Lowest depth of the cart's centre since the cart is inside `BLOCKED` zones. */
  depthMm: number | undefined;
}

export const INITIAL_GATE_STATE: GateState = { isStopped: false, pads: new Map(), depthMm: undefined };

export interface GateSite {
  map: ZoneMap;
  shape: CartShape;
  rules: GateRules;
}

/** Returns the turning speed, in degrees/s, at which the farthest corner of the cart moves at this speed. */
export function turnAt({ radiusMm }: CartShape, speedMmps: number): number {
  return speedMmps / radiusMm / RAD;
}

/**
 * Decides whether and how fast a cart may move, before a motion and every 50 ms while it lasts. The cart's swept
 * outline, padded by three standard deviations of its pose, the margin and the error of the plan's scale, must stay
 * outside the zones, and the speed must permit a stop before the first of them.
 */
export function gateMotion(
  site: GateSite,
  request: GateRequest,
  state: GateState,
): { decision: GateDecision; state: GateState } {
  const { map, shape, rules } = site;
  const { motion, pose, current, isManual, isHeld } = request;
  const isMoving = current.speedMmps !== 0 || current.turnDegps !== 0;
  const requested = { speed: Math.abs(motion.speedMmps), turn: Math.abs(motion.turnDegps) };
  const permit = (speed: number, turn: number, isEnforced: boolean): GateDecision => ({
    isPermitted: true,
    maxSpeedMmps: speed,
    maxTurnDegps: turn,
    isEnforced,
  });
  if (map.zones.length === 0 && !request.needsReview)
    return { decision: permit(requested.speed, requested.turn, true), state: INITIAL_GATE_STATE };
  const creep = {
    speed: Math.min(requested.speed, CREEP_MMPS),
    turn: Math.min(requested.turn, turnAt(shape, CREEP_MMPS)),
  };
  // While the cart is stationary, its pose does not become outdated.
  const ageMs = isMoving ? (pose?.ageMs.odometry ?? Number.POSITIVE_INFINITY) : 0;
  const isLost =
    request.needsReview || !pose || pose.state === 'LOST' || !isUsable(pose) || ageMs > MAX_POSE_AGE_MS;
  if (isHeld && (isLost || request.isOverridden))
    return { decision: permit(creep.speed, creep.turn, false), state };
  if (isLost) return { decision: { isPermitted: false, code: 'POSE_LOST' }, state };

  const start = { x: pose.xMm, y: pose.yMm, heading: pose.headingDeg * RAD };
  const covariance = inRadians(pose.covariance);
  const sweep = new Sweep(map, shape, { covariance, marginMm: rules.marginMm });
  const isClosed = (zone: number): boolean => {
    const kind = map.zones[zone]?.kind;
    return kind === 'BLOCKED' || (kind === 'MANUAL_ONLY' && !isManual);
  };
  const isSlowZone = (zone: number): boolean => map.zones[zone]?.kind === 'SPEED_LIMIT';
  const refusal = (zone: number, freeDistanceMm: number): GateDecision => {
    const { kind, id } = map.zones[zone] ?? {};
    const code = kind === 'MANUAL_ONLY' ? 'ZONE_MANUAL_ONLY' : 'ZONE_BLOCKED';
    return { isPermitted: false, code, ...(id !== undefined && { zoneId: id }), freeDistanceMm };
  };

  const under = sweep.zonesUnder(start);
  const inside = new Set([...under].filter(isClosed));
  const [wayOutOf] = inside;
  const closedToAll = [...inside].find((zone) => map.zones[zone]?.kind === 'MANUAL_ONLY' || !isHeld);
  if (closedToAll !== undefined) return { decision: refusal(closedToAll, 0), state };

  const pads = new Map<string, number>();
  const isObstacle = (zone: number): boolean => isClosed(zone) && !inside.has(zone);
  for (const [zone, excessMm] of sweep.padExcess(start, isObstacle)) {
    // Only a person who holds the control may drive close to a zone while the position is less certain.
    if (!isHeld && excessMm > HYSTERESIS_MM) return { decision: refusal(zone, 0), state };
    const id = map.zones[zone]?.id ?? '';
    const freeMm = sweep.maxPadMm - excessMm;
    const widestMm = Math.max(freeMm, state.pads.get(id) ?? freeMm);
    pads.set(id, widestMm);
    sweep.reducePad(zone, sweep.maxPadMm - heldPad(freeMm, widestMm, excessMm));
  }
  const depthOf = ({ x, y }: Placement): number => map.depthMm(inside, x, y);
  const depthMm =
    wayOutOf === undefined ? undefined : Math.min(depthOf(start), state.depthMm ?? Number.POSITIVE_INFINITY);

  const isSlow = pose.state === 'COARSE' || inside.size > 0 || pads.size > 0;
  let { speed, turn } = isSlow ? creep : requested;
  const reactionS = Math.max(MIN_REACTION_MS, ageMs + REACTION_MS) / 1000;
  // The pads apply the uncertainty of the current pose to the whole path. An error of the heading also leads the cart
  // sideways on the way, but it widens the later poses' uncertainty in the same way, and the evaluations on the way stop
  // the cart in time. Adding it in advance would refuse long moves through corridors that are free. Half of the margin
  // is reserved for the distance in which the cart stops.
  const reservedMm = rules.marginMm / 2 / (3 * Math.sqrt(covariance.hh));
  const headingMmps = speedTowards(reservedMm, { endMmps: 0, reactionS, decelMmps2: rules.decelMmps2 });
  const stopMm = stoppingMm(requested.speed, reactionS, rules.decelMmps2);
  if (headingMmps < speed && sweep.isNear(start, stopMm, isObstacle)) speed = headingMmps;
  const slow = (asked: number, free: number, endMmps: number, decelMmps2: number, isClosedZone: boolean) => {
    const permitted = speedTowards(free, { endMmps, reactionS, decelMmps2 });
    if (request.hasLiveLimits || (permitted >= asked && (isMoving || isClosedZone))) return permitted;
    return endMmps;
  };
  let blocked: { zone: number; freeMm: number; drivenMm: number } | undefined;
  for (const arc of arcsOf(motion, start, rules, reactionS)) {
    if (blocked) break;
    const isTurnInPlace = arc.lengthMm === 0;
    if (isTurnInPlace && wayOutOf !== undefined) continue;
    const shares = sweep.freeShares(arc, (zone) => isObstacle(zone) || isSlowZone(zone), isClosed);
    for (const zone of under) if (isSlowZone(zone)) shares.set(zone, 0);
    if (depthMm !== undefined && wayOutOf !== undefined) {
      const limitMm = Math.max(depthMm + TOLERANCE_MM, depthOf(start)) + 0.01;
      const share = shareUntil(arc, (point) => depthOf(point) > limitMm);
      if (share !== undefined) shares.set(wayOutOf, share);
    }
    for (const [zone, share] of shares) {
      const closed = isClosed(zone);
      const { maxSpeedMmps = 0 } = map.zones[zone] ?? {};
      const endMmps = closed ? 0 : maxSpeedMmps;
      const drivenMm = Math.abs(arc.lengthMm) * share;
      const turnedDeg = (Math.abs(arc.turnRad) / RAD) * share;
      if (!isTurnInPlace)
        speed = Math.min(speed, slow(requested.speed, drivenMm, endMmps, rules.decelMmps2, closed));
      if (arc.turnRad !== 0) {
        const endDegps = turnAt(shape, endMmps);
        turn = Math.min(turn, slow(requested.turn, turnedDeg, endDegps, rules.turnDecelDegps2, closed));
      }
      const freeMm = isTurnInPlace ? turnedDeg * RAD * shape.radiusMm : drivenMm;
      if (closed && (!blocked || freeMm < blocked.freeMm)) blocked = { zone, freeMm, drivenMm };
    }
  }
  const next = { pads, depthMm };
  if (blocked) {
    const isWhole = motion.kind === 'move' && !isMoving;
    const isAtEdge = blocked.freeMm < (state.isStopped ? HYSTERESIS_MM : 1);
    const isStill = (requested.speed > 0 && speed < 1) || (requested.turn > 0 && turn < 0.1);
    if (isWhole || isAtEdge || isStill)
      return {
        decision: refusal(blocked.zone, Math.floor(blocked.drivenMm)),
        state: { ...next, isStopped: true },
      };
  }
  // On an arc, both speeds are reduced by the same share, so that the curvature remains.
  if (motion.kind === 'jog' && requested.speed > 0 && requested.turn > 0) {
    const share = Math.min(speed / requested.speed, turn / requested.turn, 1);
    speed = share * requested.speed;
    turn = share * requested.turn;
  }
  const isStraight = motion.turnDegps === 0 && current.turnDegps === 0;
  const isInPlace = motion.speedMmps === 0 && current.speedMmps === 0;
  if (motion.kind === 'jog' && !isStraight && !isInPlace) {
    let zone: number | undefined;
    const share = SHARES.find((part) => {
      const to = {
        speedMmps: Math.sign(motion.speedMmps) * speed * part,
        turnDegps: Math.sign(motion.turnDegps) * turn * part,
      };
      const path = brakingPath(start, { from: current, to, reactionS }, rules);
      const hit = sweep.firstTouched(path, isObstacle);
      zone ??= hit;
      return hit === undefined;
    });
    if (zone !== undefined && share === undefined)
      return { decision: refusal(zone, 0), state: { ...next, isStopped: true } };
    speed *= share ?? 1;
    turn *= share ?? 1;
  }
  return { decision: permit(speed, turn, true), state: { ...next, isStopped: false } };
}

/**
 * Returns the width of the pad towards a zone that is already within the full pad, for example because the pose has
 * become less certain. The cart can drive away from the zone and along it, and correct its heading, but it never comes
 * more than the hysteresis closer than it has been since the zone came within the pad.
 */
function heldPad(freeMm: number, widestMm: number, excessMm: number): number {
  const lowestMm = widestMm - HYSTERESIS_MM;
  if (freeMm < lowestMm) return freeMm - 0.01;
  return Math.max(0, lowestMm, excessMm > HYSTERESIS_MM ? 0 : freeMm - TOLERANCE_MM);
}

/** Returns the path of a motion; for driving until further notice, the part in which the cart can stop. */
function arcsOf(motion: GateMotion, start: Placement, rules: GateRules, reactionS: number): Arc[] {
  if (motion.kind === 'move') {
    const turn = { start, lengthMm: 0, turnRad: motion.turnDeg * RAD };
    const drive = { start: poseOn(turn, 1), lengthMm: motion.distanceMm, turnRad: 0 };
    return [turn, drive].filter(({ lengthMm, turnRad }) => lengthMm !== 0 || turnRad !== 0);
  }
  const { speedMmps, turnDegps } = motion;
  const [speed, turn] = [Math.abs(speedMmps), Math.abs(turnDegps)];
  if (speed === 0 && turn === 0) return [];
  const driveS = speed === 0 ? 0 : stoppingMm(speed, reactionS, rules.decelMmps2) / speed;
  const turnS = turn === 0 ? 0 : stoppingMm(turn, reactionS, rules.turnDecelDegps2) / turn;
  const durationS = Math.min(Math.max(driveS, turnS), turn === 0 ? Number.POSITIVE_INFINITY : 360 / turn);
  return [{ start, lengthMm: speedMmps * durationS, turnRad: turnDegps * RAD * durationS }];
}

/** Returns the share of an arc before the first of its points that fulfils a condition; undefined if none does. */
function shareUntil(arc: Arc, isReached: (point: Placement) => boolean): number | undefined {
  const lengthMm = Math.abs(arc.lengthMm);
  for (let atMm = 0; atMm < Math.min(lengthMm, WAY_OUT_MM); atMm += DEPTH_STEP_MM)
    if (isReached(poseOn(arc, Math.min(1, (atMm + DEPTH_STEP_MM) / lengthMm)))) return atMm / lengthMm;
  return undefined;
}

/** A comparison with NaN would otherwise make a zone appear to be far away. */
function isUsable({ xMm, yMm, headingDeg, covariance, ageMs }: NonNullable<GateRequest['pose']>): boolean {
  const values = covariance.flat();
  return (
    ageMs.odometry !== null &&
    values.length === 9 &&
    [xMm, yMm, headingDeg, ...values].every(Number.isFinite) &&
    covariance.every((row, i) => (row[i] ?? -1) >= 0)
  );
}

function inRadians([x = [], y = [], h = []]: PlanPose['covariance']) {
  return {
    xx: x[0] ?? 0,
    xy: x[1] ?? 0,
    yy: y[1] ?? 0,
    xh: (x[2] ?? 0) * RAD,
    yh: (y[2] ?? 0) * RAD,
    hh: (h[2] ?? 0) * RAD * RAD,
  };
}
