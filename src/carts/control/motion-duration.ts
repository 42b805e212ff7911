import { trapezoid } from '../../shared/motion-profile.js';
import type { Order } from '../command/model.js';
import type { LimitsSettings } from './settings-schema.js';

export type MotionLimits = Pick<LimitsSettings, 'maxSpeedMmps' | 'accelMmps2' | 'decelMmps2'>;

/** Assumed speed of a turn in place, in degrees/s. */
export const TURN_DEGPS = 45;

type Motion = Pick<Order, 'distanceMm' | 'angleDdeg' | 'maxSpeedMmps'>;

/**
 * Returns the duration in ms of a turn in place and a drive with a trapezoidal speed profile.
 * @param limits acceleration and deceleration, in mm/s²
 */
export function plannedMs(motion: Motion, limits: Pick<MotionLimits, 'accelMmps2' | 'decelMmps2'>): number {
  const { distanceMm, angleDdeg, maxSpeedMmps: max } = motion;
  const turnMs = (Math.abs(angleDdeg) / 10 / TURN_DEGPS) * 1000;
  const drive = trapezoid(distanceMm, { max, accel: limits.accelMmps2, decel: limits.decelMmps2 });
  return Math.round(turnMs + drive.durationMs);
}

/**
 * Returns the time limit in ms: 1.5 times the planned duration, plus 2 s.
 * @param slowestShare lowest speed that the protective field or a zone can impose, as a share of the speed limit
 */
export function maxDurationMs(
  motion: Motion,
  limits: Pick<MotionLimits, 'accelMmps2' | 'decelMmps2'>,
  slowestShare = 1,
): number {
  return Math.round((1.5 * plannedMs(motion, limits)) / slowestShare + 2000);
}
