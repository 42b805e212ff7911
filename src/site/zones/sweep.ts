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
  readonly #reduced = new Map<number, number>();
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
    this.#reach = new Float64Array(shape.directions.length);
    this.#pads = new Float64Array(shape.directions.length);
  }

  /** Reduces the pad towards one zone. */
  reducePad(zone: number, byMm: number): void {
    this.#reduced.set(zone, byMm);
  }

  /** Returns the zones that touch the outline without a pad. */
  zonesUnder(pose: Placement): Set<number> {
    const { x, y, heading } = pose;
    const [cornerX, cornerY] = this.#shape.corners[0] ?? [0, 0];
    const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
    const inside = this.#map.zones.flatMap((_, zone) =>
      this.#map.contains(zone, x + cos * cornerX - sin * cornerY, y + sin * cornerX + cos * cornerY)
        ? [zone]
        : [],
    );
    const frame = this.#prepare(pose, 0, 0);
    const edges = this.#map.edgesNear(x, y, x, y, this.#shape.radiusMm);
    const touched = edges
      .filter((edge) => this.#touches(edge, frame, Number.NEGATIVE_INFINITY))
      .map(({ zone }) => zone);
    return new Set([...inside, ...touched]);
  }

  /**
   * Returns by how many mm the pad must be reduced towards each zone that it touches at a pose, so that it touches no
   * edge of the zone; at most `maxPadMm`.
   */
  padExcess(pose: Placement): Map<number, number> {
    const excess = new Map<number, number>();
    const scaleMm = this.#scaleMm(pose, 0);
    const frame = this.#prepare(pose, 0, 0);
    const widthMm = this.#shape.radiusMm + this.maxPadMm + scaleMm;
    const edges = this.#map.edgesNear(pose.x, pose.y, pose.x, pose.y, widthMm);
    const byZone = new Map<number, ZoneEdge[]>();
    for (const edge of edges) {
      const own = byZone.get(edge.zone);
      if (own) own.push(edge);
      else byZone.set(edge.zone, [edge]);
    }
    for (const [zone, own] of byZone) {
      const touched = (byMm: number, candidates: readonly ZoneEdge[]): ZoneEdge[] => {
        this.#reduced.set(zone, byMm);
        return candidates.filter((edge) => this.#touches(edge, frame, scaleMm));
      };
      let candidates = touched(0, own);
      if (candidates.length > 0) {
        let low = 0;
        let high = this.maxPadMm + scaleMm;
        while (high - low > PRECISION_MM) {
          const middle = (low + high) / 2;
          // A smaller pad touches no other edges.
          const still = touched(middle, candidates);
          if (still.length > 0) [low, candidates] = [middle, still];
          else high = middle;
        }
        excess.set(zone, high);
      }
      this.#reduced.delete(zone);
    }
    return excess;
  }

  /**
   * Returns the share of an arc, 0 to 1, that is free of each zone that the arc touches. The first zone for which
   * `ends` is true ends the search. Parts of up to 20 mm and 1 degree count as a whole.
   */
  freeShares(arc: Arc, ignored: ReadonlySet<number>, ends: (zone: number) => boolean): Map<number, number> {
    const hits = new Map<number, number>();
    const { radiusMm } = this.#shape;
    let isOver = false;
    const visit = (from: number, to: number, edges: readonly ZoneEdge[]): void => {
      const halfMm = (Math.abs(arc.lengthMm) * (to - from)) / 2;
      const halfRad = (Math.abs(arc.turnRad) * (to - from)) / 2;
      const pose = poseOn(arc, (from + to) / 2);
      const scaleMm = this.#scaleMm(pose, halfMm);
      const frame = this.#prepare(pose, halfMm, halfRad);
      const withinMm = radiusMm + halfMm + this.maxPadMm + scaleMm;
      const near = edges.filter(
        (edge) =>
          !hits.has(edge.zone) &&
          distanceMm(edge.x1, edge.y1, edge.x2, edge.y2, pose.x, pose.y) <= withinMm &&
          this.#touches(edge, frame, scaleMm),
      );
      if (near.length === 0) return;
      if (2 * halfMm > STEP_MM || 2 * halfRad > STEP_RAD) {
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
    const { x: x1, y: y1 } = arc.start;
    const { x: x2, y: y2 } = poseOn(arc, 1);
    const lengthMm = Math.abs(arc.lengthMm);
    // Every point of an arc is within half its length of one of its ends.
    const besideMm = arc.turnRad === 0 ? 0 : lengthMm / 2;
    const widthMm = radiusMm + this.maxPadMm + besideMm + this.#scaleMm(arc.start, lengthMm);
    const edges = this.#map.edgesNear(x1, y1, x2, y2, widthMm).filter(({ zone }) => !ignored.has(zone));
    if (edges.length > 0) visit(0, 1, edges);
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
    const padMm = (x: number, y: number) => uncertaintyMm(this.#shape, inCart, x, y) + marginMm;
    for (const [i, { x, y, reachMm }] of directions.entries()) {
      this.#reach[i] = reachMm + stepMm(x, y);
      this.#pads[i] = padMm(x, y);
    }
    const [cos, sin] = [Math.cos(pose.heading), Math.sin(pose.heading)];
    return { x: pose.x, y: pose.y, cos, sin, stepMm, padMm };
  }

  /**
   * Clips an edge to the half-planes (Cyrus–Beck); true if a part of it remains.
   * @param scaleMm is added to the pad; -Infinity for the outline without a pad.
   */
  #touches({ x1, y1, x2, y2, zone }: ZoneEdge, frame: Frame, scaleMm: number): boolean {
    const { x, y, cos, sin } = frame;
    const startX = (x1 - x) * cos + (y1 - y) * sin;
    const startY = (y1 - y) * cos - (x1 - x) * sin;
    const deltaX = (x2 - x1) * cos + (y2 - y1) * sin;
    const deltaY = (y2 - y1) * cos - (x2 - x1) * sin;
    const plusMm = scaleMm - (this.#reduced.get(zone) ?? 0);
    let from = 0;
    let to = 1;
    const { directions } = this.#shape;
    for (let i = 0; i < directions.length; i++) {
      const { x: normalX = 0, y: normalY = 0 } = directions[i] ?? {};
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
    const padMm = Math.max(0, frame.padMm(normalX, normalY) + plusMm);
    const reachMm = this.#shape.reachMm(normalX, normalY) + frame.stepMm(normalX, normalY) + padMm;
    return startX * normalX + startY * normalY <= reachMm;
  }
}

/** A pose with a step around it; the functions apply to directions in the cart's frame. */
interface Frame {
  x: number;
  y: number;
  cos: number;
  sin: number;
  stepMm: (x: number, y: number) => number;
  padMm: (x: number, y: number) => number;
}
