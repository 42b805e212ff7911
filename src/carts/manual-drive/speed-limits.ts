/** Limits for manual drive, and the deceleration that determines the braking distance. */
export interface ManualLimits {
  speedMmps: number;
  turnDegps: number;
  decelMmps2: number;
}

/**
 * Scales the limits to `percent`. The result is never higher than `most`, and never 0, so that a full
 * deflection always moves the cart.
 */
export function scaledLimits(most: ManualLimits, percent: number): ManualLimits {
  const share = Math.min(1, Math.max(0, percent / 100));
  return {
    speedMmps: Math.max(1, Math.floor(most.speedMmps * share)),
    turnDegps: Math.max(1, Math.floor(most.turnDegps * share)),
    decelMmps2: most.decelMmps2,
  };
}

/** Distance in mm from the start of braking to standstill: v²/(2a). Excludes the transmission delay. */
export function brakingMm(speedMmps: number, decelMmps2: number): number {
  return speedMmps ** 2 / (2 * decelMmps2);
}
