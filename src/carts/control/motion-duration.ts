import { trapezoid } from '../../shared/motion-profile.js';
import type { Order } from '../command/model.js';
import { type SpeedLimits, UNLIMITED } from './live-limits.js';
import type { LimitsSettings } from './settings-schema.js';

export type MotionLimits = Pick<LimitsSettings, 'maxSpeedMmps' | 'accelMmps2' | 'decelMmps2'>;

/** Assumed speed of a turn in place, in degrees/s. */
const TURN_DEGPS = 45;

type Motion = Pick<Order, 'distanceMm' | 'angleDdeg' | 'maxSpeedMmps'>;

/**
 * Returns the duration in ms of a turn in place and a drive with a trapezoidal speed profile.
 * @param limits acceleration and deceleration, in mm/s²
 */
export function plannedMs(
  motion: Motion,
  limits: Pick<MotionLimits, 'accelMmps2' | 'decelMmps2'>,
  { speedMmps, turnDegps }: SpeedLimits = UNLIMITED,
): number {
  const { distanceMm, angleDdeg, maxSpeedMmps } = motion;
  const turnMs = (Math.abs(angleDdeg) / 10 / Math.min(TURN_DEGPS, turnDegps)) * 1000;
  const max = Math.min(maxSpeedMmps, speedMmps);
  const drive = trapezoid(distanceMm, { max, accel: limits.accelMmps2, decel: limits.decelMmps2 });
  return Math.round(turnMs + drive.durationMs);
}

/**
 * Returns the time limit in ms: 1.5 times the planned duration, plus 2 s.
 * @param slowest speeds to which the motion may be limited for its whole duration
 */
export function maxDurationMs(
  motion: Motion,
  limits: Pick<MotionLimits, 'accelMmps2' | 'decelMmps2'>,
  slowest?: SpeedLimits,
): number {
  return Math.round(1.5 * plannedMs(motion, limits, slowest) + 2000);
}

/** Returns the speed of a motion with these limits, as a share of its planned speed. */
export function paceOf({ maxSpeedMmps }: Motion, { speedMmps, turnDegps }: SpeedLimits): number {
  return Math.min(1, speedMmps / maxSpeedMmps, turnDegps / TURN_DEGPS);
}
