import { type CartShape, covarianceInCart, type PoseCovariance, uncertaintyMm } from './cart-shape.js';
import { distanceMm, type ZoneEdge, type ZoneMap } from './zone-map.js';

/** Longest part of a path that is checked at once. */
const STEP_MM = 20;
const STEP_RAD = Math.PI / 180;
const PRECISION_MM = 0.25;

/** A pose on the plan, in mm and radians. */
export interface Placement {
  x: number;
  y: number;
  heading: number;
}

/** Part of a path with a constant curvature: a straight line, an arc or a turn in place. */
export interface Arc {
  start: Placement;
  /** Negative if the cart drives backwards. */
  lengthMm: number;
  /** Positive to the left. */
  turnRad: number;
}

/** The space that a cart keeps free around its outline. */
export interface Padding {
  covariance: PoseCovariance;
  marginMm: number;
}

/** Returns the pose after a share of an arc, 0 to 1. */
export function poseOn({ start, lengthMm, turnRad }: Arc, share: number): Placement {
  const turn = turnRad * share;
  const half = turn / 2;
  // The chord of an arc is its length times sin(half) / half.
  const chord = lengthMm * share * (Math.abs(half) < 1e-6 ? 1 : Math.sin(half) / half);
  return {
    x: start.x + chord * Math.cos(start.heading + half),
    y: start.y + chord * Math.sin(start.heading + half),
    heading: start.heading + turn,
  };
}

/**
 * Between two directions of a cart's shape, its outline and the pad are at most this much wider than in the wider one:
 * 1 / cos(11.25 degrees), because the directions are at most 22.5 degrees apart and both widths are convex.
 */
const BETWEEN_DIRECTIONS = 1.02;

/**
 * Tests the padded outline of a cart against the edges of zones. The outline is the intersection of half-planes in the
 * cart's frame, each moved outwards by the pad in its direction.
 */
export class Sweep {
  readonly #map: ZoneMap;
  readonly #shape: CartShape;
  readonly #padding: Padding;
  /** Upper limit of the pad in all directions, without the error of the plan's scale. */
  readonly maxPadMm: number;
  /** Upper limit of the part of the pad that depends on the heading. */
  readonly #headingPadMm: number;
  /** Reductions of the pad in mm, by zone. */
  readonly #reduced: Float64Array;
  readonly #normals: Float64Array;
  /** Distance of each half-plane from the cart's origin, without the pad. */
  readonly #reach: Float64Array;
  readonly #pads: Float64Array;

  constructor(map: ZoneMap, shape: CartShape, padding: Padding) {
    this.#map = map;
    this.#shape = shape;
    this.#padding = padding;
    const { xx, xy, yy, hh } = padding.covariance;
    const major = (xx + yy) / 2 + Math.hypot((xx - yy) / 2, xy);
    this.#headingPadMm = 3 * shape.radiusMm * Math.sqrt(hh);
    this.maxPadMm = 3 * Math.sqrt(major) + this.#headingPadMm + padding.marginMm;
    this.#reduced = new Float64Array(map.zones.length);
    this.#normals = new Float64Array(shape.directions.flatMap(({ x, y }) => [x, y]));
    this.#reach = new Float64Array(shape.directions.length);
    this.#pads = new Float64Array(shape.directions.length);
  }

  /** Reduces the pad towards one zone. */
  reducePad(zone: number, byMm: number): void {
    this.#reduced[zone] = byMm;
  }

  /** Returns the zones that touch the outline without a pad. */
  zonesUnder(pose: Placement): Set<number> {
    const { x, y, heading } = pose;
    const [cornerX, cornerY] = this.#shape.corners[0] ?? [0, 0];
    const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
    const under = new Set<number>();
    for (let zone = 0; zone < this.#map.zones.length; zone++)
      if (this.#map.contains(zone, x + cos * cornerX - sin * cornerY, y + sin * cornerX + cos * cornerY))
        under.add(zone);
    const frame = this.#prepare(pose, 0, 0);
    for (const edge of this.#map.edgesNear(x, y, x, y, this.#shape.radiusMm))
      if (!under.has(edge.zone) && this.#touches(edge, frame, Number.NEGATIVE_INFINITY)) under.add(edge.zone);
    return under;
  }

  /** Returns true if the pad may touch one of the included zones within a distance of a pose. */
  isNear(pose: Placement, withinMm: number, isIncluded: (zone: number) => boolean): boolean {
    const { x, y } = pose;
    const widthMm = this.#shape.radiusMm + this.maxPadMm + this.#scaleMm(pose, withinMm) + withinMm;
    return this.#map.edgesNear(x, y, x, y, widthMm).some(({ zone }) => isIncluded(zone));
  }

  /**
   * Returns by how many mm the pad must be reduced towards each of the zones that it touches at a pose, so that it
   * touches no edge of the zone; at most `maxPadMm`.
   */
  padExcess(pose: Placement, isIncluded: (zone: number) => boolean): Map<number, number> {
    const excess = new Map<number, number>();
    const { x, y } = pose;
    const scaleMm = this.#scaleMm(pose, 0);
    const frame = this.#prepare(pose, 0, 0);
    const widthMm = this.#shape.radiusMm + this.maxPadMm + scaleMm;
    const edges = this.#map.edgesNear(x, y, x, y, widthMm).filter(({ zone }) => isIncluded(zone));
    const nearest = new Map<number, { edge: ZoneEdge; awayMm: number }>();
    for (const edge of edges) {
      const awayMm = distanceMm(edge.x1, edge.y1, edge.x2, edge.y2, x, y);
      if (awayMm < (nearest.get(edge.zone)?.awayMm ?? widthMm)) nearest.set(edge.zone, { edge, awayMm });
    }
    // The pad that the nearest edge of a zone permits rules out most of the others.
    for (const edge of [...[...nearest.values()].map((item) => item.edge), ...edges]) {
      const { zone } = edge;
      const touches = (byMm: number): boolean => {
        this.#reduced[zone] = byMm;
        return !this.#isBeyond(edge, frame, scaleMm) && this.#touches(edge, frame, scaleMm);
      };
      let low = excess.get(zone) ?? 0;
      if (touches(low)) {
        let high = this.maxPadMm + scaleMm;
        while (high - low > PRECISION_MM) {
          const middle = (low + high) / 2;
          if (touches(middle)) low = middle;
          else high = middle;
        }
        excess.set(zone, high);
      }
      this.#reduced[zone] = 0;
    }
    return excess;
  }

  /**
   * Returns the share of an arc, 0 to 1, that is free of each included zone that the arc touches. The first zone for
   * which `ends` is true ends the search. Parts of up to 20 mm and 1 degree count as a whole.
   */
  freeShares(
    arc: Arc,
    isIncluded: (zone: number) => boolean,
    ends: (zone: number) => boolean,
  ): Map<number, number> {
    const { x: x1, y: y1 } = arc.start;
    const { x: x2, y: y2 } = poseOn(arc, 1);
    const lengthMm = Math.abs(arc.lengthMm);
    // Every point of an arc is within half its length of one of its ends.
    const besideMm = arc.turnRad === 0 ? 0 : lengthMm / 2;
    const widthMm = this.#shape.radiusMm + this.maxPadMm + besideMm + this.#scaleMm(arc.start, lengthMm);
    const edges = this.#map.edgesNear(x1, y1, x2, y2, widthMm).filter(({ zone }) => isIncluded(zone));
    return this.#freeShares(arc, edges, ends);
  }

  /** Returns the first of the included zones that a path touches. */
  firstTouched(path: readonly Arc[], isIncluded: (zone: number) => boolean): number | undefined {
    const [first] = path;
    if (!first) return undefined;
    const { radiusMm } = this.#shape;
    const lengthMm = (from: number, to: number): number =>
      path.slice(from, to).reduce((sum, arc) => sum + Math.abs(arc.lengthMm), 0);
    const search = (from: number, to: number, edges: readonly ZoneEdge[]): number | undefined => {
      const middle = Math.floor((from + to) / 2);
      const { start } = path[middle] ?? first;
      const besideMm = Math.max(lengthMm(from, middle), lengthMm(middle, to));
      const padMm = this.maxPadMm + this.#scaleMm(start, besideMm);
      const near = edges.filter(({ x1, y1, x2, y2, zone }) => {
        const widthMm = radiusMm + Math.max(0, padMm - (this.#reduced[zone] ?? 0));
        return distanceMm(x1, y1, x2, y2, start.x, start.y) <= besideMm + widthMm;
      });
      if (near.length === 0) return undefined;
      if (to - from > 1) return search(from, middle, near) ?? search(middle, to, near);
      const [hit] = this.#freeShares(path[from] ?? first, near, () => true).keys();
      return hit;
    };
    const { x, y } = first.start;
    const allMm = lengthMm(0, path.length);
    const widthMm = radiusMm + this.maxPadMm + this.#scaleMm(first.start, allMm) + allMm;
    const edges = this.#map.edgesNear(x, y, x, y, widthMm).filter(({ zone }) => isIncluded(zone));
    return search(0, path.length, edges);
  }

  #freeShares(arc: Arc, all: readonly ZoneEdge[], ends: (zone: number) => boolean): Map<number, number> {
    const hits = new Map<number, number>();
    let isOver = false;
    const visit = (from: number, to: number, edges: readonly ZoneEdge[]): void => {
      const halfMm = (Math.abs(arc.lengthMm) * (to - from)) / 2;
      const halfRad = (Math.abs(arc.turnRad) * (to - from)) / 2;
      const pose = poseOn(arc, (from + to) / 2);
      const scaleMm = this.#scaleMm(pose, halfMm);
      const frame = this.#prepare(pose, halfMm, halfRad);
      const isStep = 2 * halfMm <= STEP_MM && 2 * halfRad <= STEP_RAD;
      const near = edges.filter(
        (edge) =>
          !hits.has(edge.zone) &&
          !this.#isBeyond(edge, frame, scaleMm) &&
          (!isStep || this.#touches(edge, frame, scaleMm)),
      );
      if (near.length === 0) return;
      if (!isStep) {
        const middle = (from + to) / 2;
        visit(from, middle, near);
        if (!isOver) visit(middle, to, near);
        return;
      }
      for (const { zone } of near) {
        if (!hits.has(zone)) hits.set(zone, from);
        if (ends(zone)) isOver = true;
      }
    };
    // Most of the motions that end at a zone end near the start.
    const steps = Math.max(1, Math.abs(arc.lengthMm) / STEP_MM, Math.abs(arc.turnRad) / STEP_RAD);
    let part = 1 / 2 ** Math.ceil(Math.log2(steps));
    for (let from = 0; all.length > 0 && from < 1 && !isOver; part *= 2) {
      const to = Math.min(1, from + part);
      visit(from, to, all);
      from = to;
    }
    return hits;
  }

  /** Returns the largest error of the plan's scale at a cart within a distance of a pose. */
  #scaleMm({ x, y }: Placement, withinMm: number): number {
    return this.#map.scaleErrorMm(x, y) + this.#map.scaleErrorShare * (this.#shape.radiusMm + withinMm);
  }

  /**
   * Calculates the pads for a pose and all poses within half a step of it: the cart's origin is at most `halfMm` ahead
   * or behind and `halfMm * halfRad` / 2 beside it, and each corner turns by at most `halfRad`.
   */
  #prepare(pose: Placement, halfMm: number, halfRad: number): Frame {
    const { directions, radiusMm } = this.#shape;
    const { covariance, marginMm } = this.#padding;
    const inCart = covarianceInCart(covariance, pose.heading);
    const sideMm = (halfMm * halfRad) / 2;
    const turnMm = (radiusMm + this.#headingPadMm) * halfRad;
    const stepMm = (x: number, y: number) => halfMm * Math.abs(x) + sideMm * Math.abs(y) + turnMm;
    const padTowards = (x: number, y: number) => uncertaintyMm(this.#shape, inCart, x, y) + marginMm;
    let [widestReachMm, widestPadMm] = [0, 0];
    for (let i = 0; i < directions.length; i++) {
      const { x = 0, y = 0, reachMm = 0 } = directions[i] ?? {};
      const [reach, pad] = [reachMm + stepMm(x, y), padTowards(x, y)];
      this.#reach[i] = reach;
      this.#pads[i] = pad;
      widestReachMm = Math.max(widestReachMm, reach);
      widestPadMm = Math.max(widestPadMm, pad);
    }
    const [cos, sin] = [Math.cos(pose.heading), Math.sin(pose.heading)];
    const reachMm = BETWEEN_DIRECTIONS * widestReachMm;
    const padMm = BETWEEN_DIRECTIONS * widestPadMm;
    return { x: pose.x, y: pose.y, cos, sin, reachMm, padMm, stepMm, padTowards };
  }

  /** Returns true if the half-plane towards the nearest point of the edge separates it from the outline. */
  #isBeyond({ x1, y1, x2, y2, zone }: ZoneEdge, frame: Frame, scaleMm: number): boolean {
    this.#map.edgeTests += 1;
    const { x, y, cos, sin } = frame;
    const [dx, dy] = [x2 - x1, y2 - y1];
    const share = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
    const [awayX, awayY] = [x1 + share * dx - x, y1 + share * dy - y];
    const awayMm = Math.sqrt(awayX * awayX + awayY * awayY);
    const plusMm = scaleMm - (this.#reduced[zone] ?? 0);
    if (awayMm > frame.reachMm + Math.max(0, frame.padMm + plusMm)) return true;
    if (awayMm === 0) return false;
    const normalX = (awayX * cos + awayY * sin) / awayMm;
    const normalY = (awayY * cos - awayX * sin) / awayMm;
    return awayMm > this.#supportMm(frame, normalX, normalY, plusMm);
  }

  /** Returns the distance of the half-plane in a direction of the cart's frame. */
  #supportMm(frame: Frame, x: number, y: number, plusMm: number): number {
    return this.#shape.reachMm(x, y) + frame.stepMm(x, y) + Math.max(0, frame.padTowards(x, y) + plusMm);
  }

  /**
   * Clips an edge to the half-planes (Cyrus–Beck); true if a part of it remains.
   * @param scaleMm is added to the pad; -Infinity for the outline without a pad.
   */
  #touches({ x1, y1, x2, y2, zone }: ZoneEdge, frame: Frame, scaleMm: number): boolean {
    this.#map.edgeTests += 1;
    const { x, y, cos, sin } = frame;
    const startX = (x1 - x) * cos + (y1 - y) * sin;
    const startY = (y1 - y) * cos - (x1 - x) * sin;
    const deltaX = (x2 - x1) * cos + (y2 - y1) * sin;
    const deltaY = (y2 - y1) * cos - (x2 - x1) * sin;
    const plusMm = scaleMm - (this.#reduced[zone] ?? 0);
    let from = 0;
    let to = 1;
    const normals = this.#normals;
    for (let i = 0; i < this.#reach.length; i++) {
      const normalX = normals[2 * i] ?? 0;
      const normalY = normals[2 * i + 1] ?? 0;
      const padMm = Math.max(0, (this.#pads[i] ?? 0) + plusMm);
      const room = (this.#reach[i] ?? 0) + padMm - startX * normalX - startY * normalY;
      const change = deltaX * normalX + deltaY * normalY;
      if (change > 0) to = Math.min(to, room / change);
      else if (change < 0) from = Math.max(from, room / change);
      else if (room < 0) return false;
      if (from > to) return false;
    }
    // The half-plane along the edge makes the pad exact beside long edges.
    const length = Math.sqrt(deltaX * deltaX + deltaY * deltaY);
    const side = startY * deltaX < startX * deltaY ? -1 : 1;
    const [normalX, normalY] = [(-side * deltaY) / length, (side * deltaX) / length];
    return startX * normalX + startY * normalY <= this.#supportMm(frame, normalX, normalY, plusMm);
  }
}

/** A pose with a step around it. */
interface Frame {
  x: number;
  y: number;
  cos: number;
  sin: number;
  /** Upper limits, in all directions, of the half-planes without their pads and of the pads. */
  reachMm: number;
  padMm: number;
  /** In a direction of the cart's frame. */
  stepMm: (x: number, y: number) => number;
  padTowards: (x: number, y: number) => number;
}
