import type { LimitsSettings } from '../control/settings-schema.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';

/** A driver who is not heard for this long drives no more, at the gateway and in the controller. */
export const SILENCE_MS = 250;
/** From the last word to standstill. */
const STAND_WITHIN_MS = 500;
/** For the way to the controller and for its next control step. */
const MARGIN_MS = 30;

const TURN_MOST_DEGPS = 90;

/**
 * How fast a cart may be driven by hand: so that it stands half a second after the last word, braking included. Stronger
 * brakes in the settings allow more.
 */
export function handLimits(
  { maxSpeedMmps, decelMmps2 }: Pick<LimitsSettings, 'maxSpeedMmps' | 'decelMmps2'>,
  { trackMm }: Pick<KinematicsSettings, 'trackMm'>,
): { speedMmps: number; turnDegps: number } {
  const brakingS = (STAND_WITHIN_MS - SILENCE_MS - MARGIN_MS) / 1000;
  const wheelMmps = Math.min(maxSpeedMmps, decelMmps2 * brakingS);
  const turnDegps = ((wheelMmps / (trackMm / 2)) * 180) / Math.PI;
  return {
    speedMmps: Math.max(1, Math.floor(wheelMmps)),
    turnDegps: Math.max(1, Math.min(TURN_MOST_DEGPS, Math.floor(turnDegps))),
  };
}
