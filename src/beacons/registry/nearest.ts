import { haversineM, type LatLong } from '../positioning/geodesy.js';
import { type Box, distanceToBoxM, quarter } from './boxes.js';

/** A positioned beacon by its row in the index. */
export interface RankedBeacon extends LatLong {
  place: number;
}

/** At most `most` places in a box, in any order; their positions as the index has them. */
type FindInBox = (box: Box, most: number) => RankedBeacon[];

/** The index has 32-bit coordinates: a position is up to this far from the true one (7.6e-6 degrees twice, rounded up). */
const INDEX_ERROR_M = 2;
/** A box with more places than this is looked at in quarters. */
const HANDFUL = 16;
/** Below this many degrees (2 m) the index can tell no places apart. */
const SMALLEST = 2e-5;
/** So many in two metres is no building: then any of them will do. */
const CROWD = 2000;

const WORLD: Box = { south: -90, north: 90, west: -180, east: 180 };

type Candidate = { distanceM: number } & ({ box: Box } | { place: RankedBeacon });

/**
 * All places that may be among the `limit` nearest, given the error of the index. Takes from a queue whatever is nearest, a
 * box or a place: a box is replaced by its places or, when it has many, by its quarters. So the cost grows with `limit` and
 * with the logarithm of how dense the places lie, not with their number, however they are spread; and distances are those
 * on the globe, so that neither the antimeridian nor a pole matters.
 */
export function nearestBeacons(from: LatLong, limit: number, find: FindInBox): RankedBeacon[] {
  const queue: Candidate[] = [{ distanceM: 0, box: WORLD }];
  const seen = new Set<number>();
  const found: RankedBeacon[] = [];
  let farthestM = Number.POSITIVE_INFINITY;
  for (let next = queue.pop(); next && next.distanceM <= farthestM; next = queue.pop()) {
    if ('place' in next) {
      found.push(next.place);
      if (found.length === limit) farthestM = next.distanceM + 2 * INDEX_ERROR_M;
    } else for (const candidate of open(next.box, from, find, seen)) insert(queue, candidate);
  }
  return found;
}

function open(box: Box, from: LatLong, find: FindInBox, seen: Set<number>): Candidate[] {
  const isSmall = box.east - box.west < SMALLEST;
  const most = isSmall ? CROWD : HANDFUL + 1;
  const places = find(box, most);
  if (!isSmall && places.length === most) {
    return quarter(box).map((part) => ({ distanceM: distanceToBoxM(from, part), box: part }));
  }
  // The index rounds outward, so a place near an edge is in the boxes on both sides.
  const unseen = places.filter(({ place }) => !seen.has(place));
  for (const { place } of unseen) seen.add(place);
  return unseen.map((place) => ({ distanceM: haversineM(from, place), place }));
}

/** Keeps the queue sorted, nearest last. */
function insert(queue: Candidate[], candidate: Candidate): void {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((queue[middle]?.distanceM ?? 0) > candidate.distanceM) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, candidate);
}
