import type { PlanPoint, Zone } from './zone.js';

/** An edge of a zone, in plan millimetres. */
export interface ZoneEdge {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  /** Index of the zone in `ZoneMap.zones`. */
  zone: number;
}

/** The accuracy of a floor plan: its scale was entered for a line of known length. */
export interface PlanScale {
  line: readonly [PlanPoint, PlanPoint];
  /** Relative error, such as 0.01. */
  errorShare: number;
}

interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** The zones of a site plan, prepared for the motion gate. Zones must be valid; see `zoneFault`. */
export class ZoneMap {
  readonly zones: readonly Zone[];
  /** Number of tests of edges so far, which determine the gate's cost. */
  edgeTests = 0;
  readonly #parts: readonly { box: Box; edges: readonly ZoneEdge[] }[];
  readonly #scale: PlanScale | undefined;

  constructor(zones: readonly Zone[], scale?: PlanScale) {
    this.zones = zones;
    this.#scale = scale;
    this.#parts = zones.map(({ polygon }, zone) => ({
      box: boxOf(polygon),
      edges: polygon.map(([x1, y1], i) => {
        const [x2, y2] = polygon[(i + 1) % polygon.length] ?? [x1, y1];
        return { x1, y1, x2, y2, zone };
      }),
    }));
  }

  /** Returns the edges that may be within `radiusMm` of the segment between two points. */
  edgesNear(x1: number, y1: number, x2: number, y2: number, radiusMm: number): ZoneEdge[] {
    const minX = Math.min(x1, x2) - radiusMm;
    const maxX = Math.max(x1, x2) + radiusMm;
    const minY = Math.min(y1, y2) - radiusMm;
    const maxY = Math.max(y1, y2) + radiusMm;
    const near: ZoneEdge[] = [];
    for (const { box, edges } of this.#parts) {
      if (box.minX > maxX || box.maxX < minX || box.minY > maxY || box.maxY < minY) continue;
      for (const edge of edges) {
        if (edge.x1 > maxX ? edge.x2 <= maxX : edge.x1 >= minX || edge.x2 >= minX) {
          if (edge.y1 > maxY ? edge.y2 <= maxY : edge.y1 >= minY || edge.y2 >= minY) near.push(edge);
        }
      }
    }
    return near;
  }

  /** Returns true if a point is inside the zone. */
  contains(zone: number, x: number, y: number): boolean {
    const part = this.#parts[zone];
    if (!part) return false;
    const { box, edges } = part;
    if (x < box.minX || x > box.maxX || y < box.minY || y > box.maxY) return false;
    let isInside = false;
    for (const { x1, y1, x2, y2 } of edges)
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    return isInside;
  }

  /**
   * Returns how deep a point is inside the deepest of these zones in mm; outside all of them, the distance to the
   * nearest one as a negative number.
   */
  depthMm(zones: Iterable<number>, x: number, y: number): number {
    let deepest = Number.NEGATIVE_INFINITY;
    for (const zone of zones) {
      const { box, edges = [] } = this.#parts[zone] ?? {};
      if (!box) continue;
      const awayMm = outsideMm(box, x, y);
      // Inside the box, the zone may be deeper than the others.
      if (awayMm > 0 && -awayMm <= deepest) continue;
      let nearest = Number.POSITIVE_INFINITY;
      for (const { x1, y1, x2, y2 } of edges) nearest = Math.min(nearest, distanceMm(x1, y1, x2, y2, x, y));
      deepest = Math.max(deepest, this.contains(zone, x, y) ? nearest : -nearest);
    }
    return deepest;
  }

  /** Returns the error of the plan's scale at a point, in mm. */
  scaleErrorMm(x: number, y: number): number {
    if (!this.#scale) return 0;
    const { line, errorShare } = this.#scale;
    return errorShare * distanceMm(...line[0], ...line[1], x, y);
  }

  /** Change of `scaleErrorMm` per mm. */
  get scaleErrorShare(): number {
    return this.#scale?.errorShare ?? 0;
  }
}

function boxOf(polygon: readonly PlanPoint[]): Box {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const [x, y] of polygon) {
    box.minX = Math.min(box.minX, x);
    box.minY = Math.min(box.minY, y);
    box.maxX = Math.max(box.maxX, x);
    box.maxY = Math.max(box.maxY, y);
  }
  return box;
}

/** Returns the distance of a point from a box; 0 inside. */
function outsideMm({ minX, minY, maxX, maxY }: Box, x: number, y: number): number {
  return Math.hypot(Math.max(0, minX - x, x - maxX), Math.max(0, minY - y, y - maxY));
}

/** Returns the distance of the point (x, y) from the segment between (x1, y1) and (x2, y2). */
export function distanceMm(x1: number, y1: number, x2: number, y2: number, x: number, y: number): number {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const length2 = dx * dx + dy * dy;
  const share = length2 === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length2));
  const awayX = x - x1 - share * dx;
  const awayY = y - y1 - share * dy;
  // Not `Math.hypot`, which is several times slower.
  return Math.sqrt(awayX * awayX + awayY * awayY);
}
