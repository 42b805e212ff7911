import { haversineM, type LatLong } from '../../plan/pure.js';
import { type Box, distanceToBoxM, quarter } from './boxes.js';

export interface IndexedBeacon extends LatLong {
  place: number;
}

type FindInBox = (box: Box, limit: number) => IndexedBeacon[];

/** Maximum error of the index's 32-bit coordinates: twice 7.6e-6 degrees, rounded up. */
const INDEX_ERROR_M = 2;
const MAX_PER_BOX = 16;
/** Resolution of the index (2 m); smaller boxes are not split. */
const MIN_BOX_DEGREES = 2e-5;
/** Maximum number of beacons read from a box that is too small to split; which ones are read is arbitrary. */
const MAX_PER_SMALL_BOX = 2000;

const WORLD: Box = { south: -90, north: 90, west: -180, east: 180 };

type Candidate = { distanceM: number } & ({ box: Box } | { beacon: IndexedBeacon });

/**
 * Returns all beacons that may be among the `limit` nearest, given the error of the index's coordinates.
 * Best-first search with great-circle distances: a box is replaced by its beacons or, if it has too many, by
 * its quarters. The cost depends on `limit` and the logarithm of the density, not on the number of beacons.
 */
export function nearestBeacons(from: LatLong, limit: number, find: FindInBox): IndexedBeacon[] {
  const queue: Candidate[] = [{ distanceM: 0, box: WORLD }];
  const seen = new Set<number>();
  const found: IndexedBeacon[] = [];
  let farthestM = Number.POSITIVE_INFINITY;
  for (let next = queue.pop(); next && next.distanceM <= farthestM; next = queue.pop()) {
    if ('beacon' in next) {
      found.push(next.beacon);
      if (found.length === limit) farthestM = next.distanceM + 2 * INDEX_ERROR_M;
    } else for (const candidate of expand(next.box, from, find, seen)) insert(queue, candidate);
  }
  return found;
}

function expand(box: Box, from: LatLong, find: FindInBox, seen: Set<number>): Candidate[] {
  const isSmall = box.east - box.west < MIN_BOX_DEGREES;
  const limit = isSmall ? MAX_PER_SMALL_BOX : MAX_PER_BOX + 1;
  const beacons = find(box, limit);
  if (!isSmall && beacons.length === limit) {
    return quarter(box).map((part) => ({ distanceM: distanceToBoxM(from, part), box: part }));
  }
  // The index rounds outwards, so a beacon near an edge is found in the boxes on both sides.
  const unseen = beacons.filter(({ place }) => !seen.has(place));
  for (const { place } of unseen) seen.add(place);
  return unseen.map((beacon) => ({ distanceM: haversineM(from, beacon), beacon }));
}

/** Keeps the queue sorted by distance, nearest last. */
function insert(queue: Candidate[], candidate: Candidate): void {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((queue[middle]?.distanceM ?? 0) > candidate.distanceM) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, candidate);
}
