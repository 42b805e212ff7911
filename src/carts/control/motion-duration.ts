import type { Order } from '../command/model.js';
import type { LimitsSettings } from './settings-schema.js';

/** The limits that bound one motion. */
export type MotionLimits = Pick<LimitsSettings, 'maxSpeedMmps' | 'accelMmps2' | 'decelMmps2'>;

/** How fast a cart turns in place when nothing else is known, in degrees a second. */
const TURN_DEGPS = 45;

type Motion = Pick<Order, 'distanceMm' | 'angleDdeg' | 'maxSpeedMmps'>;

/** How long a motion takes that goes as planned, in ms: turn, speed up, drive, slow down. */
export function plannedMs(motion: Motion, { accelMmps2 }: Pick<MotionLimits, 'accelMmps2'>): number {
  const { distanceMm, angleDdeg, maxSpeedMmps } = motion;
  const turnS = Math.abs(angleDdeg) / 10 / TURN_DEGPS;
  const driveS = distanceMm === 0 ? 0 : Math.abs(distanceMm) / maxSpeedMmps + maxSpeedMmps / accelMmps2;
  return Math.round((turnS + driveS) * 1000);
}

/** The time a motion may take at most before it counts as stuck, in ms: half as long again as planned, and 2 s. */
export function maxDurationMs(motion: Motion, limits: Pick<MotionLimits, 'accelMmps2'>): number {
  return Math.round(1.5 * plannedMs(motion, limits) + 2000);
}
