import type { ReadDatabase, Statement } from '../../shared/ports/database.js';
import type { Marker } from './model.js';

const ALL = 'SELECT id, json FROM markers ORDER BY id';

/** The table contains at most 587 markers. */
export class MarkerReads {
  readonly #all: Statement<{ id: number; json: string }>;

  constructor(db: ReadDatabase) {
    this.#all = db.prepare(ALL);
  }

  /** Stored JSON is not validated again, because it was validated before it was stored. */
  all(): Map<number, Marker> {
    return new Map(this.#all.all({}).map(({ id, json }) => [id, JSON.parse(json) as Marker]));
  }
}
