import { convexHull } from '../../shared/convex-hull.js';

/** A direction in the cart's frame (x forward, y left), as a unit vector. */
interface Direction {
  x: number;
  y: number;
  /** Distance in mm from the middle of the drive axle to the outermost corner in this direction. */
  reachMm: number;
}

/** These directions round the corners of the padded outline. */
const DIRECTIONS = 16;

/** The convex outline of a cart around the middle of its drive axle. */
export class CartShape {
  /** Counterclockwise. */
  readonly corners: readonly (readonly [xMm: number, yMm: number])[];
  /** The coordinates of the corners; arrays of numbers make the tests of edges several times faster. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** Distance of the farthest corner from the middle of the drive axle. */
  readonly radiusMm: number;
  /** The half-planes `x * d.x + y * d.y <= d.reachMm` of all directions contain the outline. */
  readonly directions: readonly Direction[];

  /** @param footprint `kinematics.footprint`: at least three corners. */
  constructor(footprint: readonly { xMm: number; yMm: number }[]) {
    this.corners = convexHull(footprint.map(({ xMm, yMm }) => [xMm, yMm]));
    this.xs = Float64Array.from(this.corners, ([x]) => x);
    this.ys = Float64Array.from(this.corners, ([, y]) => y);
    this.radiusMm = Math.max(...this.corners.map(([x, y]) => Math.hypot(x, y)));
    const sides = this.corners.map(([x1, y1], i) => {
      const [x2, y2] = this.corners[(i + 1) % this.corners.length] ?? [x1, y1];
      return Math.atan2(x1 - x2, y2 - y1);
    });
    const others = Array.from({ length: DIRECTIONS }, (_, i) => (2 * Math.PI * i) / DIRECTIONS);
    this.directions = [...sides, ...others].map((angle) => {
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      return { x, y, reachMm: this.reachMm(x, y) };
    });
  }

  /** Returns the distance in mm to the outermost corner in a direction. */
  reachMm(x: number, y: number): number {
    let reach = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.xs.length; i++)
      reach = Math.max(reach, (this.xs[i] ?? 0) * x + (this.ys[i] ?? 0) * y);
    return reach;
  }
}

/** Upper triangle of the covariance of x, y and heading, in mm and radians. */
export interface PoseCovariance {
  xx: number;
  xy: number;
  yy: number;
  xh: number;
  yh: number;
  hh: number;
}

/** Returns the covariance in the frame of a cart with this heading. */
export function covarianceInCart(
  { xx, xy, yy, xh, yh, hh }: PoseCovariance,
  headingRad: number,
): PoseCovariance {
  const [cos, sin] = [Math.cos(headingRad), Math.sin(headingRad)];
  return {
    xx: cos * cos * xx + 2 * cos * sin * xy + sin * sin * yy,
    xy: cos * sin * (yy - xx) + (cos * cos - sin * sin) * xy,
    yy: sin * sin * xx - 2 * cos * sin * xy + cos * cos * yy,
    xh: cos * xh + sin * yh,
    yh: cos * yh - sin * xh,
    hh,
  };
}

/**
 * Returns three standard deviations, in mm, of the position of the least certain corner in a direction of the cart's
 * frame: the square root of nᵀ J P Jᵀ n with J = [I | R'b] for corner b, as the heading moves corners sideways.
 */
export function uncertaintyMm(
  { xs, ys }: CartShape,
  { xx, xy, yy, xh, yh, hh }: PoseCovariance,
  x: number,
  y: number,
) {
  const position = x * x * xx + 2 * x * y * xy + y * y * yy;
  const mixed = x * xh + y * yh;
  let variance = 0;
  for (let i = 0; i < xs.length; i++) {
    const lever = (xs[i] ?? 0) * y - (ys[i] ?? 0) * x;
    variance = Math.max(variance, position + 2 * lever * mixed + lever * lever * hh);
  }
  return 3 * Math.sqrt(variance);
}
