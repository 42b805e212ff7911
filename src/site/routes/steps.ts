import { signedDegrees } from '../../shared/angles.js';
import { distanceMm } from '../zones/zone-map.js';
import type { Leg } from './route.js';

const RAD = Math.PI / 180;
/** The longest motion between two corrections by the pose. */
const STEP_MM = 1000;
/** A point counts as reached within this distance along the leg. */
const REACHED_MM = 15;
/** A turn in place ends within this angle. */
const TURNED_DEG = 1;
/** Points that are closer together are one point, at which the cart only turns. */
export const SAME_POINT_MM = 20;
/** Largest correction towards the leg, so that a cart near its end does not turn sideways. */
const MAX_CORRECTION_DEG = 20;

export interface RoutePose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

/** A turn in place, then a straight drive, backwards if negative. */
export interface Step {
  turnDeg: number;
  distanceMm: number;
}

type Point = Pick<Leg, 'xMm' | 'yMm'>;

/**
 * Returns the next motion on a leg; undefined if the cart has reached its end. The cart never drives in a direction that
 * differs by more than 20 degrees from that of the leg.
 * @param from where the leg begins; undefined for the way to the first point of a route
 */
export function nextStep(from: Point | undefined, leg: Leg, pose: RoutePose): Step | undefined {
  if (from && !drives(from, leg)) return turnTo(leg, pose);
  const [dx, dy] = [leg.xMm - pose.xMm, leg.yMm - pose.yMm];
  const leftMm = from ? alongMm(pose, leg, from) : Math.hypot(dx, dy);
  if (leftMm <= (from ? REACHED_MM : SAME_POINT_MM)) return undefined;
  const targetDeg = Math.atan2(dy, dx) / RAD;
  const isReverse = from ? isBackwards(from, leg) : Math.abs(signedDegrees(targetDeg - pose.headingDeg)) > 90;
  const legDeg = from ? wayDegOf(from, leg) : targetDeg;
  const correction = signedDegrees(targetDeg - legDeg);
  const aimDeg = Math.max(-MAX_CORRECTION_DEG, Math.min(MAX_CORRECTION_DEG, correction));
  const turnDeg = signedDegrees(legDeg + aimDeg + (isReverse ? 180 : 0) - pose.headingDeg);
  const wholeMm = leftMm / Math.cos(aimDeg * RAD);
  const lengthMm = wholeMm / Math.ceil(wholeMm / STEP_MM);
  return { turnDeg, distanceMm: isReverse ? -lengthMm : lengthMm };
}

/** Returns how far a pose is from the line between two points, in mm. */
export function offRouteMm(from: Point, to: Point, pose: Point): number {
  return distanceMm(from.xMm, from.yMm, to.xMm, to.yMm, pose.xMm, pose.yMm);
}

/** Returns false if the cart only turns at the end of the previous leg. */
export function drives(from: Point, leg: Leg): boolean {
  return Math.hypot(leg.xMm - from.xMm, leg.yMm - from.yMm) > SAME_POINT_MM;
}

/** Returns the heading at which the cart drives a leg, in degrees. */
export function headingOn(from: Point, leg: Leg): number {
  if (!drives(from, leg)) return leg.headingDeg ?? 0;
  return wayDegOf(from, leg) + (isBackwards(from, leg) ? 180 : 0);
}

/** Returns the number of motions that a leg needs if none of them is interrupted. */
export function stepsOf(from: Point | undefined, leg: Leg): number {
  if (!from || !drives(from, leg)) return 1;
  return Math.ceil(Math.hypot(leg.xMm - from.xMm, leg.yMm - from.yMm) / STEP_MM);
}

function isBackwards(from: Point, leg: Leg): boolean {
  return leg.headingDeg !== undefined && Math.abs(signedDegrees(leg.headingDeg - wayDegOf(from, leg))) > 90;
}

function wayDegOf(from: Point, { xMm, yMm }: Point): number {
  return Math.atan2(yMm - from.yMm, xMm - from.xMm) / RAD;
}

/** Returns how far a pose is before the end of a leg, measured along the leg; negative if it is beyond it. */
function alongMm(pose: Point, leg: Point, from: Point): number {
  const [dx, dy] = [leg.xMm - from.xMm, leg.yMm - from.yMm];
  return ((leg.xMm - pose.xMm) * dx + (leg.yMm - pose.yMm) * dy) / Math.hypot(dx, dy);
}

function turnTo({ headingDeg }: Leg, pose: RoutePose): Step | undefined {
  const turnDeg = headingDeg === undefined ? 0 : signedDegrees(headingDeg - pose.headingDeg);
  return Math.abs(turnDeg) <= TURNED_DEG ? undefined : { turnDeg, distanceMm: 0 };
}
