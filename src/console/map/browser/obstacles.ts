import { type FieldView, fieldArcs } from '../../../carts/pure.js';
import { type LatLong, TangentPlane } from '../../../plan/pure.js';
import { type CartCorner, reachMm } from './cart-outline.js';

const POINTS = 12;

export interface ObstacleLine {
  points: LatLong[];
  isBlocked: boolean;
}

/**
 * Returns the obstacles as arcs on the map.
 * @param bearingDeg the cart's heading in degrees clockwise from north
 * @param cart the radius in m of the cart's symbol, which must not cover a near obstacle, and the corners of its outline,
 * on which the sensors are mounted
 */
export function obstacleLines(
  field: FieldView,
  { lat, long }: LatLong,
  bearingDeg: number,
  { symbolM, footprint = [] }: { symbolM: number; footprint?: readonly CartCorner[] | undefined },
): ObstacleLine[] {
  const plane = new TangentPlane([{ lat, long }]);
  return fieldArcs(field).map(({ angleDeg, widthDeg, rangeMm, isBlocked }) => {
    const radius = Math.max(symbolM, (reachMm(footprint, angleDeg) + rangeMm) / 1000);
    const points = Array.from({ length: POINTS + 1 }, (_, at) => {
      const bearing = ((bearingDeg - angleDeg + (at / POINTS - 0.5) * widthDeg) * Math.PI) / 180;
      return plane.toGlobe({ x: radius * Math.sin(bearing), y: radius * Math.cos(bearing) });
    });
    return { points, isBlocked };
  });
}
