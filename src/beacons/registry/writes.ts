import type { WriteDatabase, WriteOperations } from '../../shared/ports/ports.js';
import type { StoredBeacon } from './stored.js';

/** What became of a beacon that was sent. `conflict`: another one has the id, and nothing was changed. */
export type Outcome = 'created' | 'replaced' | 'unchanged' | 'conflict';

export interface CreateRequest extends StoredBeacon {
  /** Whether a beacon of the same id with other content may be replaced. */
  upsert: boolean;
}

export interface RemoveRequest {
  id: string;
}

export interface ImportRequest {
  beacons: readonly StoredBeacon[];
  upsert: boolean;
}

/** How many beacons became what. */
export interface ImportCounts {
  created: number;
  replaced: number;
  unchanged: number;
}

/** Or the places (0 = first) of those that are in the way, and then nothing was changed. */
export type ImportResult = ImportCounts | { conflicts: readonly number[] };

interface Kept {
  json: string;
  place: number | null;
}

const FIND = 'SELECT json, place FROM beacons WHERE id = @id';
const PUT = 'INSERT OR REPLACE INTO beacons (id, json, place) VALUES (@id, @json, @place)';
const REMOVE = 'DELETE FROM beacons WHERE id = @id RETURNING json, place';
/** A point is a box without extent. The tree rounds outward to 32 bits; it gives the new row its number. */
const PLACE = `
  INSERT INTO beacon_places (south, north, west, east, id) VALUES (@lat, @lat, @long, @long, @id)`;
const UNPLACE = 'DELETE FROM beacon_places WHERE place = @place';

function create(db: WriteDatabase, { upsert, ...beacon }: CreateRequest): Outcome {
  const kept = find(db, beacon.id);
  if (kept?.json === beacon.json) return 'unchanged';
  if (kept && !upsert) return 'conflict';
  put(db, beacon, kept);
  return kept ? 'replaced' : 'created';
}

/** Answers the JSON of the beacon as it was; null when there was none. */
function remove(db: WriteDatabase, { id }: RemoveRequest): string | null {
  const kept = db.prepare<Kept>(REMOVE).get({ id });
  if (!kept) return null;
  unplace(db, kept);
  return kept.json;
}

/** All or nothing: conflicts are found before anything is changed. */
function importMany(db: WriteDatabase, { beacons, upsert }: ImportRequest): ImportResult {
  const before = beacons.map(({ id }) => find(db, id));
  const isInTheWay = (at: number): boolean => {
    const kept = before[at];
    return kept !== undefined && kept.json !== beacons[at]?.json;
  };
  const conflicts = upsert ? [] : [...beacons.keys()].filter(isInTheWay);
  if (conflicts.length > 0) return { conflicts };
  const counts = { created: 0, replaced: 0, unchanged: 0 };
  beacons.forEach((beacon, at) => {
    const kept = before[at];
    if (kept?.json === beacon.json) counts.unchanged += 1;
    else {
      put(db, beacon, kept);
      counts[kept ? 'replaced' : 'created'] += 1;
    }
  });
  return counts;
}

function find(db: WriteDatabase, id: string): Kept | undefined {
  return db.prepare<Kept>(FIND).get({ id });
}

function put(db: WriteDatabase, { id, json, lat, long }: StoredBeacon, before: Kept | undefined): void {
  if (before) unplace(db, before);
  const isPlaced = lat !== null && long !== null;
  const place = isPlaced ? db.prepare(PLACE).run({ id, lat, long }).lastInsertRowid : null;
  db.prepare(PUT).run({ id, json, place });
}

function unplace(db: WriteDatabase, { place }: Kept): void {
  if (place !== null) db.prepare(UNPLACE).run({ place });
}

/** What the writer thread may do to the registry. */
export const beaconWrites = {
  'beacons.create': create,
  'beacons.remove': remove,
  'beacons.import': importMany,
} satisfies WriteOperations;
