import type { WriteDatabase } from './database.js';
import type { LogFields } from './log.js';

/** A revocation must survive a database restore. Only the latest counts for each `subject` and `what`. */
export interface Revocation {
  subject: string;
  what: string;
  value: string;
  sequence: number;
}

/** Applies revocations to an older database. Returns one record per change. */
export type ReplayRevocations = (
  db: WriteDatabase,
  revocations: readonly Revocation[],
) => readonly ReplayedRevocation[];

export interface ReplayedRevocation {
  /** Text for operators, such as `user eve disabled`. */
  text: string;
  fields: LogFields;
}
