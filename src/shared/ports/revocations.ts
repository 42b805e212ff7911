import type { WriteDatabase } from './database.js';
import type { LogFields } from './log.js';

/**
 * A revocation that must stay in effect when an older database is restored. Only the latest revocation for
 * each pair of `subject` and `what` counts.
 */
export interface Revocation {
  subject: string;
  what: string;
  value: string;
  /** A sequence number that increases with each revocation. */
  sequence: number;
}

/** Applies revocations to an older database. Returns one record per change, for the log. */
export type ReplayRevocations = (
  db: WriteDatabase,
  revocations: readonly Revocation[],
) => readonly ReplayedRevocation[];

export interface ReplayedRevocation {
  /** Describes the change for operators, such as `user eve disabled`. */
  text: string;
  fields: LogFields;
}
