import type { WriteDatabase } from './database.js';
import type { LogFields } from './log.js';

/** A revocation that restoring an older database must not undo. Only the last one of each `subject` and `what` counts. */
export interface Revocation {
  subject: string;
  what: string;
  value: string;
  /** Rises with each revocation. */
  sequence: number;
}

/** Applies revocations to a database that is older. Returns one record for each change, for the log. */
export type ReplayRevocations = (
  db: WriteDatabase,
  revocations: readonly Revocation[],
) => readonly ReplayedRevocation[];

export interface ReplayedRevocation {
  /** The change for operators, such as `user eve disabled`. */
  text: string;
  fields: LogFields;
}
