import type { WriteDatabase } from '../../shared/ports/ports.js';

/** One step of the schema. Once released it is never edited: what is wrong with it is put right by the next one. */
export interface Migration {
  /** What it is about, as its file is named. */
  name: string;
  /** Runs inside one transaction, with foreign keys checked at its end. What it throws undoes all of it. */
  up(db: { exec(sql: string): void; prepare: WriteDatabase['prepare'] }): void;
}
