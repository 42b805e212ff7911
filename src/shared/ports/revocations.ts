import type { WriteDatabase } from './database.js';
import type { LogFields } from './log.js';

/** Something that was taken away and that an older database must not bring back. Only the last of a `subject` and `what` counts. */
export interface Revocation {
  subject: string;
  what: string;
  value: string;
  /** Rises with each revocation. */
  sequence: number;
}

/** Applies revocations to a database that is older than them. Returns one record for each change, for the log. */
export type ReplayRevocations = (
  db: WriteDatabase,
  revocations: readonly Revocation[],
) => readonly ReplayedRevocation[];

/** `text`: the change in a few words for people, such as `user eve disabled`. */
export interface ReplayedRevocation {
  text: string;
  fields: LogFields;
}
