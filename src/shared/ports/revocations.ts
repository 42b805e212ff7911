import type { WriteDatabase } from './database.js';
import type { LogFields } from './log.js';

/**
 * A revocation that restoring an older database must not undo. Only the latest revocation for each `subject`
 * and `what` counts.
 */
export interface Revocation {
  subject: string;
  what: string;
  value: string;
  /** Increases with each revocation. */
  sequence: number;
}

/** Applies revocations to an older database. Returns one record per change, for the log. */
export type ReplayRevocations = (
  db: WriteDatabase,
  revocations: readonly Revocation[],
) => readonly ReplayedRevocation[];

export interface ReplayedRevocation {
  /** The change for operators, such as `user eve disabled`. */
  text: string;
  fields: LogFields;
}
