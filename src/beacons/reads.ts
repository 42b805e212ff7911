import type { ReadDatabase, Statement } from '../ports.js';
import { type Box, holds, split } from './boxes.js';
import { nearestPlaces, type Place } from './nearest.js';
import type { LatLong } from './ranging-globe.js';
import { BEACON_COLUMNS, type BeaconRow, toBeacon } from './rows.js';
import type { Beacon } from './schema.js';

const ONE = `SELECT ${BEACON_COLUMNS} FROM beacons WHERE id = @id`;
const BY_SEQ = `SELECT ${BEACON_COLUMNS} FROM beacons WHERE seq = @seq`;
const PAGE = `SELECT ${BEACON_COLUMNS} FROM beacons WHERE id > @after ORDER BY id LIMIT @limit`;
const BEYOND = 'SELECT 1 FROM beacons ORDER BY id LIMIT 1 OFFSET @count';
const IN_BOX = 'south <= @north AND north >= @south AND west <= @east AND east >= @west';
const SEQS = `SELECT seq FROM beacon_places WHERE ${IN_BOX} LIMIT @most`;
const PLACES = `
  SELECT seq, beacons.lat, beacons.long FROM beacon_places JOIN beacons USING (seq) WHERE ${IN_BOX} LIMIT @most`;

/** What is asked of the registry's tables. All of it is by an index and short; long answers come in pieces. */
export class BeaconReads {
  readonly #one: Statement<BeaconRow>;
  readonly #bySeq: Statement<BeaconRow>;
  readonly #page: Statement<BeaconRow>;
  readonly #beyond: Statement<unknown>;
  readonly #seqs: Statement<{ seq: number }>;
  readonly #places: Statement<Place>;

  constructor(db: ReadDatabase) {
    this.#one = db.prepare(ONE);
    this.#bySeq = db.prepare(BY_SEQ);
    this.#page = db.prepare(PAGE);
    this.#beyond = db.prepare(BEYOND);
    this.#seqs = db.prepare(SEQS);
    this.#places = db.prepare(PLACES);
  }

  byId(id: string): Beacon | undefined {
    const row = this.#one.get({ id });
    return row && toBeacon(row);
  }

  bySeq(seq: number): Beacon | undefined {
    const row = this.#bySeq.get({ seq });
    return row && toBeacon(row);
  }

  /** In the order of their ids, from the first one after `after`. */
  page(after: string, limit: number): Beacon[] {
    return this.#page.all({ after, limit }).map(toBeacon);
  }

  hasMoreThan(count: number): boolean {
    return this.#beyond.get({ count }) !== undefined;
  }

  /** The rows of about all beacons in a box (a few just outside it as well), at most `most`, oldest first. */
  seqsInBox(box: Box, most: number): number[] {
    const rows = split(box).flatMap((part) => this.#seqs.all({ ...part, most }));
    return rows.map(({ seq }) => seq).toSorted((a, b) => a - b);
  }

  nearest(from: LatLong, limit: number): Beacon[] {
    const places = nearestPlaces(from, limit, (box, most) => this.#places.all({ ...box, most }));
    return places.flatMap(({ seq }) => this.bySeq(seq) ?? []);
  }
}

/** Whether a beacon is exactly inside a box; one without a position is not. */
export function isInside(box: Box, { lat, long }: Beacon): boolean {
  return lat !== undefined && long !== undefined && split(box).some((part) => holds(part, { lat, long }));
}
