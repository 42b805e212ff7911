import type { Order } from './model.js';
import type { LimitsSettings } from './schema.js';

/** How fast a cart turns in place when nothing else is known, in degrees a second. */
const TURN_DEGPS = 45;

/** The time a motion may take at most before it counts as stuck, in ms: half as long again as planned, and 2 s. */
export function maxDurationMs(
  { distanceMm, angleDdeg, maxSpeedMmps }: Pick<Order, 'distanceMm' | 'angleDdeg' | 'maxSpeedMmps'>,
  { accelMmps2 }: Pick<LimitsSettings, 'accelMmps2'>,
): number {
  const rampS = maxSpeedMmps / accelMmps2;
  const driveS = Math.abs(distanceMm) / maxSpeedMmps + rampS;
  const turnS = Math.abs(angleDdeg) / 10 / TURN_DEGPS;
  return Math.round(1.5 * (driveS + turnS) * 1000 + 2000);
}
