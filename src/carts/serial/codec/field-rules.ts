/** Rules of the protective field (docs/protocol.md, section 17). */

export const TRAVEL_DIRECTIONS = ['forward', 'backward', 'turning'] as const;

export type TravelDirection = (typeof TRAVEL_DIRECTIONS)[number];

/** Returns the speed in mm/s of the wheels relative to the cart's centre; positive for a turn to the left. */
export function turningMmps(omegaDdegps: number, trackMm: number): number {
  return (omegaDdegps * Math.PI * trackMm) / 3600;
}

/**
 * Returns the direction of travel: the cart turns in place if its wheels turn in opposite directions. Undefined if
 * the cart is stationary.
 */
export function travelDirection(speedMmps: number, turnMmps: number): TravelDirection | undefined {
  if (Math.abs(turnMmps) > Math.abs(speedMmps)) return 'turning';
  if (speedMmps === 0) return undefined;
  return speedMmps > 0 ? 'forward' : 'backward';
}

/** Returns true if a sensor with this direction (0 = straight ahead) is relevant to the direction of travel. */
export function countsFor(direction: TravelDirection, sensorDeg: number): boolean {
  if (direction === 'turning') return true;
  const ahead = Math.cos((sensorDeg * Math.PI) / 180);
  // The tolerance excludes sensors at exactly 90 degrees.
  return (direction === 'forward' ? ahead : -ahead) > 1e-9;
}

export interface StopRules {
  /** Time in ms until braking begins. */
  reactionMs: number;
  decelMmps2: number;
  /** Distance in mm that remains between the cart and the obstacle. */
  marginMm: number;
}

/**
 * Returns the distance to an obstacle in mm at which the cart must begin to stop. `speedMmps` is the speed of the
 * faster wheel.
 */
export function stopDistanceMm(speedMmps: number, { reactionMs, decelMmps2, marginMm }: StopRules): number {
  return (speedMmps * reactionMs) / 1000 + speedMmps ** 2 / (2 * decelMmps2) + marginMm;
}
