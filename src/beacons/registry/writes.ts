import type { WriteDatabase, WriteOperations } from '../../shared/ports/database.js';
import type { Commit, CommittedWrite } from '../../shared/ports/store.js';
import type { StoredBeacon } from './schema.js';

/** `conflict`: the ID belongs to a beacon with different content, so nothing was changed. */
export type CreateOutcome = 'created' | 'replaced' | 'unchanged' | 'conflict';

export interface CreateRequest extends StoredBeacon {
  /** If true, replaces a beacon that has the same ID and different content. */
  upsert: boolean;
  /** The stored JSON that the change is based on; if it differs, the outcome is `conflict`. */
  basis?: string;
}

export interface RemoveBeaconRequest {
  id: string;
}

export interface ImportRequest {
  beacons: readonly StoredBeacon[];
  upsert: boolean;
}

export interface ImportCounts {
  created: number;
  replaced: number;
  unchanged: number;
}

/** `conflicts`: zero-based indices of the rows that conflict with existing beacons; nothing was imported. */
export type ImportResult = ImportCounts | { conflicts: readonly number[] };

interface StoredRow {
  json: string;
  place: number | null;
}

const FIND = 'SELECT json, place FROM beacons WHERE id = @id';
const PUT = 'INSERT OR REPLACE INTO beacons (id, json, place) VALUES (@id, @json, @place)';
const REMOVE = 'DELETE FROM beacons WHERE id = @id RETURNING json, place';
/** A point is a box of zero size. The R*Tree rounds outwards to 32 bits and assigns the row number. */
const ADD_POSITION = `
  INSERT INTO beacon_places (south, north, west, east, id) VALUES (@lat, @lat, @long, @long, @id)`;
const REMOVE_POSITION = 'DELETE FROM beacon_places WHERE place = @place';

function create(db: WriteDatabase, { upsert, basis, ...beacon }: CreateRequest): CreateOutcome {
  const stored = find(db, beacon.id);
  if (stored?.json === beacon.json) return 'unchanged';
  if (stored && !upsert) return 'conflict';
  if (basis !== undefined && stored?.json !== basis) return 'conflict';
  put(db, beacon, stored);
  return stored ? 'replaced' : 'created';
}

function remove(db: WriteDatabase, { id }: RemoveBeaconRequest): string | null {
  const stored = db.prepare<StoredRow>(REMOVE).get({ id });
  if (!stored) return null;
  removePosition(db, stored);
  return stored.json;
}

/** Conflicts are detected before the first change, so that all beacons or none are imported. */
function importMany(db: WriteDatabase, { beacons, upsert }: ImportRequest): ImportResult {
  const before = beacons.map(({ id }) => find(db, id));
  const isConflict = (at: number): boolean => {
    const stored = before[at];
    return stored !== undefined && stored.json !== beacons[at]?.json;
  };
  const conflicts = upsert ? [] : [...beacons.keys()].filter(isConflict);
  if (conflicts.length > 0) return { conflicts };
  const counts = { created: 0, replaced: 0, unchanged: 0 };
  beacons.forEach((beacon, at) => {
    const stored = before[at];
    if (stored?.json === beacon.json) counts.unchanged += 1;
    else {
      put(db, beacon, stored);
      counts[stored ? 'replaced' : 'created'] += 1;
    }
  });
  return counts;
}

function find(db: WriteDatabase, id: string): StoredRow | undefined {
  return db.prepare<StoredRow>(FIND).get({ id });
}

function put(db: WriteDatabase, { id, json, lat, long }: StoredBeacon, before: StoredRow | undefined): void {
  if (before) removePosition(db, before);
  const hasPosition = lat !== null && long !== null;
  const place = hasPosition ? db.prepare(ADD_POSITION).run({ id, lat, long }).lastInsertRowid : null;
  db.prepare(PUT).run({ id, json, place });
}

function removePosition(db: WriteDatabase, { place }: StoredRow): void {
  if (place !== null) db.prepare(REMOVE_POSITION).run({ place });
}

export const beaconWrites = {
  'beacons.create': create,
  'beacons.remove': remove,
  'beacons.import': importMany,
} satisfies WriteOperations;

/** Returns the IDs of beacons that may have changed; `all` after an import. */
export function changedBeacons({ outcome, writes }: Commit): readonly string[] | 'all' {
  const changed: string[] = [];
  for (const write of writes) {
    if (!isBeaconWrite(write) || (outcome === 'saved' && !hasEffect(write))) continue;
    if (write.name === 'beacons.import') return 'all';
    changed.push((write.args as CreateRequest | RemoveBeaconRequest).id);
  }
  return changed;
}

function isBeaconWrite({ name }: CommittedWrite): boolean {
  return Object.hasOwn(beaconWrites, name);
}

function hasEffect({ result }: CommittedWrite): boolean {
  return result !== 'unchanged' && result !== 'conflict' && result !== null;
}
