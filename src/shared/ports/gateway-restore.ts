import type { Actor } from '../actor.js';

interface PrepareOptions {
  dir: string;
  /** The files of the backup. */
  staged: string;
  /** An empty folder for files that take precedence over those of the backup. */
  prepared: string;
  /** Name of the backup. */
  name: string;
  by: Actor;
  /** Unix time in ms. */
  at: number;
}

/** The database's part in the restore of a whole gateway. All methods are synchronous and throw file errors. */
export interface RestorableDatabase {
  /** Name of the journal of revocations in the data directory. */
  readonly revocations: string;
  /** Name of the database in the data directory. Its write-ahead log is the same name with `-wal`. */
  readonly database: string;
  /** Number of operations in a database file; undefined if it is unreadable. Does not throw. */
  operationsIn(path: string): number | undefined;
  /** Frees the reserved disk space if the disk is full, because the journal of the restore must be written. */
  freeReserve(dir: string): void;
  /**
   * Prepares the database of a backup for this gateway: the database receives its own ID, payments stay disabled until
   * they are confirmed, and all revocations of this gateway remain in force. Can be repeated after an interruption.
   * Throws `BACKUP_DAMAGED` or `BACKUP_NEWER`.
   */
  prepare(o: PrepareOptions): {
    /** All paths of the data directory that belong to the database. */
    paths: string[];
    /** Sequence number of the last revocation in the prepared journal. */
    lastRevocation: number;
  };
  /**
   * Adds revocations to a journal, so that a return to the previous state does not undo them. Does nothing if one of
   * the journals is missing, because nothing has been replaced or everything has been put back. Can be repeated.
   */
  keepRevocations(o: {
    from: string;
    into: string;
    after: number;
    /**
     * Where the database that is in use again comes from; recorded with the revocation that ends all sessions.
     * Undefined if the sessions remain valid.
     */
    returnedFrom: string | undefined;
  }): void;
  /**
   * Disables payments until they are confirmed, because a return has replaced the database. Can be repeated.
   * @param kept name of the replaced database.
   */
  recordReturn(o: { dir: string; by: Actor; from: string; kept: string }): void;
}
