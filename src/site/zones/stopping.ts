/**
 * Returns the highest speed at which a cart can still slow down to `endMmps` within a distance: at v, it travels
 * v * reactionS + (v² - endMmps²) / (2 * decelMmps2). Also applies to turns, in degrees.
 */
export function speedTowards(
  distanceMm: number,
  { endMmps, reactionS, decelMmps2 }: { endMmps: number; reactionS: number; decelMmps2: number },
): number {
  const reaction = decelMmps2 * reactionS;
  const speed = Math.sqrt(reaction ** 2 + endMmps ** 2 + 2 * decelMmps2 * Math.max(0, distanceMm)) - reaction;
  return Math.max(endMmps, speed);
}

/** Returns the distance in which a cart stops. */
export function stoppingMm(speedMmps: number, reactionS: number, decelMmps2: number): number {
  return speedMmps * reactionS + speedMmps ** 2 / (2 * decelMmps2);
}
