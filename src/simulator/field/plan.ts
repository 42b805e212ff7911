import { convexHull } from '../../shared/convex-hull.js';

/** A wall or another obstacle: a line segment in mm, in the coordinates of the snapshot. */
export interface Wall {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

interface Pose {
  xMm: number;
  yMm: number;
  headingRad: number;
}

/** The default outline of a cart: a rectangle around the centre between its wheels. */
export const BODY = { halfLengthMm: 300, halfWidthMm: 200 };

const { halfLengthMm: length, halfWidthMm: width } = BODY;
/** A convex polygon with counterclockwise corners. */
type Outline = ReturnType<typeof convexHull>;

const RECTANGLE: Outline = [
  [length, -width],
  [length, width],
  [-length, width],
  [-length, -width],
];

/** The surroundings of the simulated cart. The cart detects walls but can drive through them. */
export class SimulatedPlan {
  walls: readonly Wall[] = [];
  #outline: Outline = RECTANGLE;

  /** Replaces the cart's outline; without corners, it is the default. */
  setOutline(corners: readonly { xMm: number; yMm: number }[]): void {
    this.#outline = corners.length === 0 ? RECTANGLE : convexHull(corners.map(({ xMm, yMm }) => [xMm, yMm]));
  }

  /** How far the outline reaches from the centre. */
  get extent(): { frontMm: number; rearMm: number; leftMm: number; rightMm: number } {
    const [xs, ys] = [this.#outline.map(([x]) => x), this.#outline.map(([, y]) => y)];
    return {
      frontMm: Math.max(...xs),
      rearMm: -Math.min(...xs),
      leftMm: Math.max(...ys),
      rightMm: -Math.min(...ys),
    };
  }

  /** Returns the distance in mm to the nearest wall in a sensor's field of view of less than 180°, or Infinity. */
  distance(sensor: Pose, fieldOfViewRad: number): number {
    return Math.min(
      Infinity,
      ...this.walls.map((wall) => nearest(relative(wall, sensor), fieldOfViewRad / 2)),
    );
  }

  /** Returns true if a wall crosses the cart's outline. */
  touches(cart: Pose): boolean {
    return this.walls.some((wall) => crosses(this.#outline, relative(wall, cart)));
  }
}

/** Converts a wall to the coordinates of a pose, where x points along the heading. */
function relative({ x1, y1, x2, y2 }: Wall, { xMm, yMm, headingRad }: Pose): Wall {
  const [cos, sin] = [Math.cos(headingRad), Math.sin(headingRad)];
  const ahead = (x: number, y: number) => (x - xMm) * cos + (y - yMm) * sin;
  const left = (x: number, y: number) => (y - yMm) * cos - (x - xMm) * sin;
  return { x1: ahead(x1, y1), y1: left(x1, y1), x2: ahead(x2, y2), y2: left(x2, y2) };
}

function nearest(wall: Wall, halfAngleRad: number): number {
  const { x1, y1, x2, y2 } = wall;
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / length2));
  // The nearest visible point is the foot of the perpendicular, an end of the wall, or a point at the edge of the view.
  const points = [along, 0, 1, edge(wall, halfAngleRad), edge(wall, -halfAngleRad)].map((share) => ({
    x: x1 + share * dx,
    y: y1 + share * dy,
  }));
  const visible = points.filter(({ x, y }) => Math.abs(Math.atan2(y, x)) <= halfAngleRad + 1e-9);
  return Math.min(Infinity, ...visible.map(({ x, y }) => Math.hypot(x, y)));
}

/**
 * Returns the position on the wall (0 to 1) where a ray from the sensor crosses it; NaN if the ray does not cross it.
 */
function edge({ x1, y1, x2, y2 }: Wall, angleRad: number): number {
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  const share = (x1 * sin - y1 * cos) / ((y2 - y1) * cos - (x2 - x1) * sin);
  return share >= 0 && share <= 1 ? share : Number.NaN;
}

/** Clips the wall to a convex polygon (Cyrus–Beck). */
function crosses(outline: Outline, { x1, y1, x2, y2 }: Wall): boolean {
  let [from, to] = [0, 1];
  for (const [i, [ax, ay]] of outline.entries()) {
    const [bx, by] = outline[(i + 1) % outline.length] ?? [ax, ay];
    const change = (by - ay) * (x2 - x1) - (bx - ax) * (y2 - y1);
    const room = (bx - ax) * (y1 - ay) - (by - ay) * (x1 - ax);
    if (change === 0 && room < 0) return false;
    if (change < 0) from = Math.max(from, room / change);
    if (change > 0) to = Math.min(to, room / change);
  }
  return from <= to;
}
