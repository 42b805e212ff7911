import type { PlanePoint } from '../../plan/pure.js';

/** Beacons closer together than this count as being at the same position. */
export const SAME_POSITION_M = 0.05;
/** Maximum width-to-length ratio of an arrangement of beacons that counts as collinear. */
const MAX_LINE_RATIO = 1e-3;

/** Second moments in m². */
export interface Covariance {
  xx: number;
  xy: number;
  yy: number;
}

/** `area`: the points determine a position; `line`: collinear points; `few`: fewer than 3 distinct points. */
export function shapeOf(points: readonly PlanePoint[]): 'area' | 'line' | 'few' {
  const distinct: PlanePoint[] = [];
  for (const { x, y } of points) {
    if (distinct.every((other) => Math.hypot(other.x - x, other.y - y) > SAME_POSITION_M))
      distinct.push({ x, y });
  }
  if (distinct.length < 3) return 'few';
  const { long, short } = axesOf(covarianceOf(distinct));
  return Math.sqrt(short) < Math.max(SAME_POSITION_M, MAX_LINE_RATIO * Math.sqrt(long)) ? 'line' : 'area';
}

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

/** Returns the eigenvalues in m², and the angle of the major axis in radians from the x axis. */
export function axesOf({ xx, xy, yy }: Covariance): { long: number; short: number; angle: number } {
  const half = Math.hypot((xx - yy) / 2, xy);
  const middle = (xx + yy) / 2;
  return { long: middle + half, short: Math.max(0, middle - half), angle: Math.atan2(2 * xy, xx - yy) / 2 };
}
