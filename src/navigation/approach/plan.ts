import { composed, inverted, normalised, type PlanarPose, planar, RAD, relative } from '../planar.js';
import type { ApproachMotion, ApproachRules, Goal, Measured, Residual } from './model.js';

const DEG = 180 / Math.PI;

/** The approach ends within these limits. */
const TOLERANCE = { alongMm: 4, lateralMm: 6, headingDeg: 0.6 };
/** The goal is approached from a point at this distance, where the cart measures again. */
const LAST_STRETCH_MM = 250;
/** A lateral error is corrected on the way if it is below this share of the remaining distance. */
const MAX_SLOPE = 0.2;
const MIN_RUN_MM = 120;
/** Distance from the goal to the point on the marker's normal that the cart drives to first. */
const STAGING_MM = 700;
/** Below this remaining distance, the cart first backs up to `STAGING_MM`. */
const BACK_UP_BELOW_MM = 450;
const MAX_STEP_MM = 1000;
/**
 * If the yaw is unknown, the cart drives towards the marker up to this distance, where the yaw is easier to measure.
 */
const NEAR_MM = 900;
/** A motion that begins within this distance of the marker is slow; see docs/navigation.md. */
const SLOW_WITHIN_MM = 900;

export type ApproachPlan =
  | { kind: 'finished'; residual: Residual }
  /** `backs` marks a motion away from the goal; a run can contain only a few of them. */
  | { kind: 'move'; motion: ApproachMotion; backs: boolean }
  | { kind: 'stuck' };

/** Returns the marker's pose in the cart's frame; the heading is the direction of its normal. */
export function markerInCart({ rangeMm, bearingDeg, yawDeg }: Measured, rules: ApproachRules): PlanarPose {
  const bearing = bearingDeg * RAD;
  const inCamera = {
    x: rangeMm * Math.cos(bearing),
    y: rangeMm * Math.sin(bearing),
    heading: Math.PI + (yawDeg ?? 0) * RAD,
  };
  return composed(planar(rules.camera), inCamera);
}

/** Returns the cart's pose after a turn and a straight line, relative to the previous pose. */
export function poseAfter({ distanceMm, angleDeg }: Omit<ApproachMotion, 'isSlow'>): PlanarPose {
  const heading = angleDeg * RAD;
  return { x: distanceMm * Math.cos(heading), y: distanceMm * Math.sin(heading), heading };
}

/** Returns the marker's direction from the camera's axis, in degrees. */
export function bearingInCamera(marker: PlanarPose, rules: ApproachRules): number {
  const { x, y } = relative(planar(rules.camera), marker);
  return Math.atan2(y, x) * DEG;
}

/** Plans the next motion from a measurement at a standstill. */
export function planApproach(measured: Measured, goal: Goal, rules: ApproachRules): ApproachPlan {
  const marker = markerInCart(measured, rules);
  if (measured.yawDeg === null) return towards(marker, measured.rangeMm, rules);
  const residual = residualOf(marker, goal);
  const { alongMm, lateralMm, headingDeg } = residual;
  const isInLine = Math.abs(lateralMm) <= TOLERANCE.lateralMm;
  const isThere = Math.abs(alongMm) <= TOLERANCE.alongMm;
  if (isInLine && isThere && Math.abs(headingDeg) <= TOLERANCE.headingDeg)
    return { kind: 'finished', residual };
  const isNear = measured.rangeMm < SLOW_WITHIN_MM;
  // The goal is `alongMm` ahead; the cart is `lateralMm` to the left of the line through the goal.
  const isCorrectable = alongMm >= MIN_RUN_MM && Math.abs(lateralMm) <= MAX_SLOPE * alongMm;
  if (isInLine && isThere) return move(0, -headingDeg, isNear, false, rules);
  if (isInLine || isCorrectable) {
    const aheadMm = alongMm > 2 * LAST_STRETCH_MM ? alongMm - LAST_STRETCH_MM : alongMm;
    const slopeDeg = isInLine ? 0 : -Math.atan2(lateralMm, aheadMm) * DEG;
    return move(aheadMm / Math.cos(slopeDeg * RAD), slopeDeg - headingDeg, isNear, alongMm < 0, rules);
  }
  if (alongMm < BACK_UP_BELOW_MM) return move(alongMm - STAGING_MM, -headingDeg, isNear, true, rules);
  const [dx, dy] = [alongMm - STAGING_MM, -lateralMm];
  return move(Math.hypot(dx, dy), Math.atan2(dy, dx) * DEG - headingDeg, isNear, false, rules);
}

/** Returns the cart's deviation from the goal: the goal is `alongMm` ahead of the cart, in the goal's direction. */
function residualOf(marker: PlanarPose, { standoffMm, lateralMm, headingDeg }: Goal): Residual {
  const inMarker = { x: standoffMm, y: -lateralMm, heading: Math.PI + headingDeg * RAD };
  const cart = inverted(composed(marker, inMarker));
  return { alongMm: -cart.x, lateralMm: cart.y, headingDeg: normalised(cart.heading) * DEG };
}

function towards(marker: PlanarPose, rangeMm: number, rules: ApproachRules): ApproachPlan {
  if (rangeMm < NEAR_MM) return { kind: 'stuck' };
  return move(Math.min(0.4 * rangeMm, 500), Math.atan2(marker.y, marker.x) * DEG, false, false, rules);
}

function move(
  distanceMm: number,
  angleDeg: number,
  isSlow: boolean,
  backs: boolean,
  { resolution }: ApproachRules,
): ApproachPlan {
  const bounded = Math.max(-MAX_STEP_MM, Math.min(MAX_STEP_MM, distanceMm));
  const motion = {
    distanceMm: rounded(bounded, resolution.mm),
    angleDeg: rounded(normalised(angleDeg * RAD) * DEG, resolution.deg),
    isSlow,
  };
  if (motion.distanceMm === 0 && motion.angleDeg === 0) return { kind: 'stuck' };
  return { kind: 'move', motion, backs };
}

function rounded(value: number, unit: number): number {
  // Removes floating-point error: 3 * 0.1 is 0.30000000000000004.
  return Math.round(Math.round(value / unit) * unit * 1000) / 1000 + 0;
}
