import { type LatLong, TangentPlane } from '../../../plan/pure.js';
import { convexHull } from '../../../shared/convex-hull.js';
import { stoppingMm } from '../../../site/pure.js';

/** A point in the cart's frame: x forward, y to the left, from the middle of the drive axle. */
export interface CartCorner {
  xMm: number;
  yMm: number;
}

/** What the page knows about this gateway's cart. */
export interface CartRules {
  /** Empty if it has not been measured. */
  footprint: readonly CartCorner[];
  decelMmps2: number;
}

/** Time in s until a cart brakes, as the motion gate assumes for a fresh position. */
const REACTION_S = 0.3;

/**
 * Returns the area that a cart covers until it has stopped if it brakes now while driving straight; empty if the cart
 * is stationary or its footprint is unknown.
 */
export function stoppingArea({ footprint, decelMmps2 }: CartRules, speedMmps: number): CartCorner[] {
  if (footprint.length === 0 || speedMmps === 0) return [];
  const ahead = Math.sign(speedMmps) * stoppingMm(Math.abs(speedMmps), REACTION_S, decelMmps2);
  const covered = [0, ahead].flatMap((by) =>
    footprint.map(({ xMm, yMm }): [number, number] => [xMm + by, yMm]),
  );
  return convexHull(covered).map(([xMm, yMm]) => ({ xMm, yMm }));
}

/** Returns the distance in mm from the drive axle to the outline in a direction; 0 if the outline is unknown. */
export function reachMm(footprint: readonly CartCorner[], angleDeg: number): number {
  const [cos, sin] = [Math.cos((angleDeg * Math.PI) / 180), Math.sin((angleDeg * Math.PI) / 180)];
  const hull = convexHull(footprint.map(({ xMm, yMm }) => [xMm, yMm]));
  const distances = hull.map(([x1, y1], i) => {
    const [x2, y2] = hull[(i + 1) % hull.length] ?? [x1, y1];
    const turn = cos * (y2 - y1) - sin * (x2 - x1);
    // The hull is counterclockwise around the axle, so the ray leaves it where this is positive.
    return turn > 0 ? (x1 * (y2 - y1) - y1 * (x2 - x1)) / turn : Number.POSITIVE_INFINITY;
  });
  return hull.length < 3 ? 0 : Math.min(...distances);
}

/** @param bearingDeg the cart's heading in degrees clockwise from north */
export function onMap(corners: readonly CartCorner[], at: LatLong, bearingDeg: number): LatLong[] {
  const plane = new TangentPlane([at]);
  const bearing = (bearingDeg * Math.PI) / 180;
  const [sin, cos] = [Math.sin(bearing), Math.cos(bearing)];
  return corners.map(({ xMm, yMm }) =>
    plane.toGlobe({ x: (xMm * sin - yMm * cos) / 1000, y: (xMm * cos + yMm * sin) / 1000 }),
  );
}
