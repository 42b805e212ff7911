import type { PlanePoint } from './geodesy.js';

/** Beacons nearer to each other than this stand at one place. */
export const SAME_PLACE_M = 0.05;
/** Narrower than this share of its length a row of beacons is a line. */
const LINE_SHARE = 1e-3;

/** Second moments, m². */
export interface Covariance {
  xx: number;
  xy: number;
  yy: number;
}

/** Whether places can fix a position: three that are not in one line. `few`: there are fewer different ones. */
export function shapeOf(points: readonly PlanePoint[]): 'area' | 'line' | 'few' {
  const places: PlanePoint[] = [];
  for (const { x, y } of points) {
    if (places.every((place) => Math.hypot(place.x - x, place.y - y) > SAME_PLACE_M)) places.push({ x, y });
  }
  if (places.length < 3) return 'few';
  const { long, short } = axesOf(covarianceOf(places));
  return Math.sqrt(short) < Math.max(SAME_PLACE_M, LINE_SHARE * Math.sqrt(long)) ? 'line' : 'area';
}

/** The covariance of points about their mean. */
export function covarianceOf(points: readonly PlanePoint[]): Covariance {
  const count = points.length;
  const mean = (of: (point: PlanePoint) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / count;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return {
    xx: mean((point) => (point.x - x) ** 2),
    xy: mean((point) => (point.x - x) * (point.y - y)),
    yy: mean((point) => (point.y - y) ** 2),
  };
}

/** Eigenvalues of a covariance, m², and the direction of the long axis in radians from x. */
export function axesOf({ xx, xy, yy }: Covariance): { long: number; short: number; angle: number } {
  const half = Math.hypot((xx - yy) / 2, xy);
  const middle = (xx + yy) / 2;
  return { long: middle + half, short: Math.max(0, middle - half), angle: Math.atan2(2 * xy, xx - yy) / 2 };
}

/** Holds the true position with the given probability. */
export interface Ellipse {
  semiMajorM: number;
  semiMinorM: number;
  /** Of the long axis, clockwise from north, 0 up to 180. */
  bearingDeg: number;
  probability: number;
}
