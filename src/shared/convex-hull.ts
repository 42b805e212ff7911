type Point = readonly [x: number, y: number];

/**
 * Returns the corners of the convex hull, counterclockwise and without points on its edges (Andrew's monotone chain).
 * Fewer than three corners if all points are on one line.
 */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort(([x1, y1], [x2, y2]) => x1 - x2 || y1 - y2);
  const lower = chain(sorted);
  const upper = chain([...sorted].reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function chain(points: readonly Point[]): Point[] {
  const hull: Point[] = [];
  for (const point of points) {
    for (;;) {
      const [before, last] = [hull.at(-2), hull.at(-1)];
      if (!before || !last || orientation(before, last, point) > 0) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull;
}

/** Returns true if the point is inside or on the edge of a convex polygon with counterclockwise corners. */
export function encloses(hull: readonly Point[], point: Point): boolean {
  return hull.every((from, i) => orientation(from, hull[(i + 1) % hull.length] ?? from, point) >= 0);
}

/** Returns a positive number if the points turn to the left, a negative one if to the right, and 0 if they are on a line. */
export function orientation([x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point): number {
  return (x2 - x1) * (y3 - y1) - (y2 - y1) * (x3 - x1);
}
