import { positiveDegrees } from '../../shared/angles.js';
import type { LocalizationState, PlanEllipse } from '../../shared/ports/navigation/plan-pose.js';
import type { Matrix } from './matrix.js';

const DEG = 180 / Math.PI;
const PROBABILITY = 0.95;
/** Number of standard deviations for this probability, for an ellipse's radius and for a single value. */
const RADIUS = 2.448;
const SINGLE = 1.96;

/** Maximum uncertainty (95 %) in the states GOOD and COARSE. */
export interface StateLimits {
  goodPositionMm: number;
  goodHeadingDeg: number;
  coarsePositionMm: number;
  coarseHeadingDeg: number;
}

/** @param covariance of x, y and heading, in mm and radians. */
export function ellipseOf(covariance: Matrix): PlanEllipse {
  const [xx, xy, yy] = [covariance[0]?.[0] ?? 0, covariance[0]?.[1] ?? 0, covariance[1]?.[1] ?? 0];
  const half = Math.hypot((xx - yy) / 2, xy);
  const middle = (xx + yy) / 2;
  return {
    semiMajorMm: RADIUS * Math.sqrt(middle + half),
    semiMinorMm: RADIUS * Math.sqrt(Math.max(0, middle - half)),
    angleDeg: positiveDegrees((Math.atan2(2 * xy, xx - yy) / 2) * DEG) % 180,
    probability: PROBABILITY,
  };
}

export function stateOf(covariance: Matrix, limits: StateLimits): LocalizationState {
  const { semiMajorMm } = ellipseOf(covariance);
  const headingDeg = SINGLE * Math.sqrt(covariance[2]?.[2] ?? Infinity) * DEG;
  if (semiMajorMm <= limits.goodPositionMm && headingDeg <= limits.goodHeadingDeg) return 'GOOD';
  return semiMajorMm <= limits.coarsePositionMm && headingDeg <= limits.coarseHeadingDeg ? 'COARSE' : 'LOST';
}

/** Returns the covariance of x, y and heading, with the heading in degrees. */
export function inDegrees(covariance: Matrix): Matrix {
  const unit = (i: number): number => (i === 2 ? DEG : 1);
  return covariance.slice(0, 3).map((row, i) => row.slice(0, 3).map((value, j) => value * unit(i) * unit(j)));
}
