import type { WriteDatabase } from './database.js';
import type { LogFields } from './log.js';

/**
 * Must survive the restore of an older database. For each `subject` and `what`, only the latest one counts.
 */
export interface Revocation {
  subject: string;
  what: string;
  value: string;
  /** Increases with each revocation. */
  sequence: number;
}

/** Applies revocations to an older database. Returns one record per change. */
export type ReplayRevocations = (
  db: WriteDatabase,
  revocations: readonly Revocation[],
) => readonly ReplayedRevocation[];

export interface ReplayedRevocation {
  /** For operators, such as `user eve disabled`. */
  text: string;
  fields: LogFields;
}
