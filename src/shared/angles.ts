/** Normalises an angle in degrees to -180 … 180. */
export function signedDegrees(deg: number): number {
  return deg - 360 * Math.round(deg / 360);
}

/** Normalises an angle in degrees to at least 0 and less than 360. */
export function positiveDegrees(deg: number): number {
  return ((deg % 360) + 360) % 360;
}
