import type { WriteDatabase } from '../../shared/ports/database.js';

/** One schema change. Released migrations are never edited; corrections are new migrations. */
export interface Migration {
  name: string;
  /** Runs in a transaction that checks foreign keys before it commits. An exception rolls it back. */
  up(db: { exec(sql: string): void; prepare: WriteDatabase['prepare'] }): void;
}
