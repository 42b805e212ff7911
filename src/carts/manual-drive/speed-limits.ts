/** Limits for manual drive, and the deceleration that determines the braking distance. */
export interface ManualLimits {
  speedMmps: number;
  turnDegps: number;
  decelMmps2: number;
}

/** Never higher than `most`, and never 0, so that a full deflection always moves the cart. */
export function scaledLimits(most: ManualLimits, percent: number): ManualLimits {
  const share = Math.min(1, Math.max(0, percent / 100));
  return {
    speedMmps: Math.max(1, Math.floor(most.speedMmps * share)),
    turnDegps: Math.max(1, Math.floor(most.turnDegps * share)),
    decelMmps2: most.decelMmps2,
  };
}

/** After this time without a message, the gateway and the controller stop the cart. */
export const SILENCE_MS = 250;
/** Time for the transmission to the controller and for the controller's next control step. */
export const MARGIN_MS = 30;

/** Distance in mm from the release of the controls or the loss of contact until the cart is stationary. */
export function stoppingMm(speedMmps: number, decelMmps2: number): number {
  return (speedMmps * (SILENCE_MS + MARGIN_MS)) / 1000 + speedMmps ** 2 / (2 * decelMmps2);
}
