import type { WriteDatabase, WriteOperations } from '../ports.js';
import { BEACON_COLUMNS, type BeaconRow, toBeacon, toParams } from './rows.js';
import type { Beacon } from './schema.js';

/** What became of a beacon that was sent. `conflict`: another one has the id, and nothing was changed. */
export type Outcome = 'created' | 'replaced' | 'unchanged' | 'conflict';

export interface CreateRequest {
  beacon: Beacon;
  /** Whether a beacon of the same id with other content may be replaced. */
  upsert: boolean;
}

export interface ImportRequest {
  beacons: readonly Beacon[];
  upsert: boolean;
}

export interface RemoveRequest {
  id: string;
}

/** How many beacons became what. */
export interface ImportCounts {
  created: number;
  replaced: number;
  unchanged: number;
}

/** Or the places (0 = first) of those that are in the way, and then nothing was changed. */
export type ImportResult = ImportCounts | { conflicts: readonly number[] };

const INSERT = `
  INSERT INTO beacons (id, description, long_description, tx_power, lat, long)
  VALUES (@id, @description, @longDescription, @txPower, @lat, @long)
  ON CONFLICT (id) DO NOTHING`;
const FIND = `SELECT seq, ${BEACON_COLUMNS} FROM beacons WHERE id = @id`;
const UPDATE = `
  UPDATE beacons SET description = @description, long_description = @longDescription,
    tx_power = @txPower, lat = @lat, long = @long
  WHERE id = @id`;
const DELETE = `DELETE FROM beacons WHERE id = @id RETURNING seq, ${BEACON_COLUMNS}`;
/** A point is a box without extent. The tree rounds outward to 32 bits: exact columns decide what really matches. */
const PLACE =
  'INSERT INTO beacon_places (seq, south, north, west, east) VALUES (@seq, @lat, @lat, @long, @long)';
const UNPLACE = 'DELETE FROM beacon_places WHERE seq = @seq';

type StoredRow = BeaconRow & { seq: number };

function create(db: WriteDatabase, { beacon, upsert }: CreateRequest): Outcome {
  const row = toParams(beacon);
  const { changes, lastInsertRowid } = db.prepare(INSERT).run(row);
  if (changes === 1) {
    place(db, lastInsertRowid, row);
    return 'created';
  }
  const stored = db.prepare<StoredRow>(FIND).get({ id: row.id });
  if (!stored) throw new Error('a beacon in the way of an insert is not there');
  if (isSame(stored, row)) return 'unchanged';
  if (!upsert) return 'conflict';
  db.prepare(UPDATE).run(row);
  if (stored.lat !== null) db.prepare(UNPLACE).run({ seq: stored.seq });
  place(db, stored.seq, row);
  return 'replaced';
}

/** Answers the beacon as it was; null when there was none. */
function remove(db: WriteDatabase, { id }: RemoveRequest): Beacon | null {
  const stored = db.prepare<StoredRow>(DELETE).get({ id });
  if (!stored) return null;
  if (stored.lat !== null) db.prepare(UNPLACE).run({ seq: stored.seq });
  return toBeacon(stored);
}

/** All or nothing: conflicts are found before anything is changed. */
function importMany(db: WriteDatabase, { beacons, upsert }: ImportRequest): ImportResult {
  const conflicts = upsert ? [] : [...beacons.keys()].filter((at) => isInTheWay(db, beacons[at]));
  if (conflicts.length > 0) return { conflicts };
  const counts = { created: 0, replaced: 0, unchanged: 0 };
  for (const beacon of beacons) {
    const outcome = create(db, { beacon, upsert: true });
    if (outcome !== 'conflict') counts[outcome] += 1;
  }
  return counts;
}

function isInTheWay(db: WriteDatabase, beacon: Beacon | undefined): boolean {
  if (!beacon) return false;
  const stored = db.prepare<StoredRow>(FIND).get({ id: beacon.id });
  return stored !== undefined && !isSame(stored, toParams(beacon));
}

function place(db: WriteDatabase, seq: number | bigint, { lat, long }: BeaconRow): void {
  if (lat !== null && long !== null) db.prepare(PLACE).run({ seq, lat, long });
}

function isSame(a: BeaconRow, b: BeaconRow): boolean {
  return (
    a.description === b.description &&
    a.longDescription === b.longDescription &&
    a.txPower === b.txPower &&
    a.lat === b.lat &&
    a.long === b.long
  );
}

/** What the writer thread may do to the registry. */
export const beaconWrites = {
  'beacons.create': create,
  'beacons.remove': remove,
  'beacons.import': importMany,
} satisfies WriteOperations;
