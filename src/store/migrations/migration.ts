import type { WriteDatabase } from '../../shared/ports/database.js';

/** One step of the schema. A released migration is never edited; a later one corrects it. */
export interface Migration {
  name: string;
  /** Runs in one transaction that checks foreign keys at its end. An exception rolls it back. */
  up(db: { exec(sql: string): void; prepare: WriteDatabase['prepare'] }): void;
}
