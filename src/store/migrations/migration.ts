import type { WriteDatabase } from '../../shared/ports/database.js';

/** Released migrations are never edited; corrections are new migrations. */
export interface Migration {
  name: string;
  /** Runs in a transaction that checks foreign keys before the commit and is rolled back on an exception. */
  up(db: { exec(sql: string): void; prepare: WriteDatabase['prepare'] }): void;
}
