/** The gateway and the controller stop the cart after this many ms without a message. */
export const SILENCE_MS = 250;
/** Time for the transmission to the controller and for the controller's next control step. */
export const MARGIN_MS = 30;

/** Returns the distance in mm from the release of the controls or the loss of contact until the cart is stationary. */
export function stoppingMm(speedMmps: number, decelMmps2: number): number {
  return (speedMmps * (SILENCE_MS + MARGIN_MS)) / 1000 + speedMmps ** 2 / (2 * decelMmps2);
}
