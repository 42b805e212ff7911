// `CommitCounter` runs on the writer thread, at startup and in every commit.

import { randomBytes } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import { fileErrorReason } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import type { Database, Statement } from '../connection.js';
import { openForReading, openPlain } from '../connection.js';
import { isDamage } from '../disk-errors.js';
import { storeMessage } from '../messages.js';
import type { StorePaths } from '../paths.js';
import { CommitFile, type CommitMark, currentBootId, readMark } from './commit-file.js';

export interface CommitNumber {
  databaseId: string;
  operations: number;
}

interface PeekedNumber extends CommitNumber {
  /** Number of intact frames in the write-ahead log. */
  logFrames: number;
}

/** The commit number of a database that is empty, or that was created before commit numbers were introduced. */
const NONE: CommitNumber = { databaseId: '', operations: 0 };
const READ = 'SELECT database_id AS databaseId, operations FROM commit_number WHERE id = 1';

/** Throws SQLite errors. */
export function commitNumberOf(db: Database): CommitNumber {
  if (!hasTable(db)) return NONE;
  return db.prepare<[], CommitNumber>(READ).get() ?? NONE;
}

/**
 * Reads a database file without a checkpoint, so that a damaged write-ahead log stays as it is. Returns
 * undefined if the file is damaged. Throws other SQLite errors.
 */
export function peekCommitNumber(path: string): PeekedNumber | undefined {
  try {
    const db = openForReading(path);
    try {
      const number = commitNumberOf(db);
      const { log } = db.prepare<[], { log: number }>('PRAGMA wal_checkpoint(NOOP)').get() ?? { log: 0 };
      return { ...number, logFrames: log };
    } finally {
      db.close();
    }
  } catch (thrown) {
    if (isDamage(thrown)) return undefined;
    throw thrown;
  }
}

/**
 * Returns how many acknowledged operations a database lacks; 0 if the mark belongs to a different database.
 */
export function missingOperations(mark: CommitMark | undefined, found: CommitNumber): number {
  if (!mark || (found.databaseId !== '' && found.databaseId !== mark.databaseId)) return 0;
  return Math.max(0, mark.operations - found.operations);
}

/** Gives a restored copy its own ID, so that it is not compared with the database that it replaces. */
export function renewDatabaseId(path: string, busyTimeoutMs: number): void {
  const db = openPlain(path, busyTimeoutMs);
  try {
    if (hasTable(db)) assignNewId(db);
  } finally {
    db.close();
  }
}

function assignNewId(db: Database): void {
  db.prepare('UPDATE commit_number SET database_id = ? WHERE id = 1').run(randomBytes(16).toString('hex'));
}

function hasTable(db: Database): boolean {
  const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'commit_number'";
  return db.prepare(sql).get() !== undefined;
}

interface CounterOptions {
  /** True if another connection may be writing; the mark then stays unchanged until the next commit. */
  isRestart: boolean;
}

/** Counts acknowledged operations in the database and records the count outside the write-ahead log. */
export class CommitCounter {
  /** True if the machine restarted without a shutdown, so that the last second cannot be verified. */
  readonly isUnverified: boolean;
  readonly notices: Text[] = [];
  readonly #file: CommitFile | undefined;
  readonly #add: Statement<[number]> | undefined;
  readonly #read: Statement<[], CommitNumber> | undefined;
  readonly #changes: Statement<[], { changes: number }> | undefined;
  #countedChanges: number;
  /** Contains only committed numbers, because a number that a rollback undoes would be reported as lost writes. */
  #current: CommitNumber;
  #published: number;
  /** Stays set after a failed checkpoint, which may have copied some of the pages. */
  #checkpointFrames = 0;
  #isSyncing = false;
  #syncFault: Text = '';

  /**
   * Gives a database that lost writes a new ID, so the loss must already be recorded. Throws SQLite and file
   * errors.
   */
  constructor(db: Database, { commitNumber }: StorePaths, { isRestart }: CounterOptions) {
    const mark = readMark(commitNumber);
    this.isUnverified = mark !== undefined && !mark.isClosed && mark.bootId !== currentBootId();
    this.#countedChanges = 0;
    this.#current = commitNumberOf(db);
    this.#published = mark?.operations ?? 0;
    if (!hasTable(db)) return;
    const isBehind = missingOperations(mark, this.#current) > 0;
    // The next start must still find the loss, so a restarted thread or another program does not replace the mark.
    if (isRestart && isBehind) return;
    this.#changes = db.prepare('SELECT total_changes() AS changes');
    this.#add = db.prepare('UPDATE commit_number SET operations = operations + ? WHERE id = 1');
    this.#read = db.prepare(READ);
    if (!mark && this.#current.operations > 0) this.notices.push(storeMessage('commit-number-missing'));
    if (isBehind) {
      assignNewId(db);
      this.#current = commitNumberOf(db);
    }
    this.#countedChanges = this.#changes.get()?.changes ?? 0;
    // The ID must be in the database file before it is in the mark: a damaged log must not lose the ID.
    if (mark?.databaseId !== this.#current.databaseId) db.pragma('wal_checkpoint(TRUNCATE)');
    this.#file = new CommitFile(commitNumber);
    if (isRestart) return;
    this.#write(false);
  }

  /**
   * Call this in the transaction of the operations. Operations that changed no row are not counted, because
   * the count would turn a transaction without an fsync into one with an fsync.
   */
  count(operations: number): void {
    const changes = this.#changes?.get()?.changes ?? 0;
    if (operations === 0 || changes === this.#countedChanges) return;
    this.#add?.run(operations);
    this.#countedChanges = changes + 1;
  }

  /**
   * Call this after the commit and before the acknowledgement. Reads the number from the database, because a
   * failed commit undoes the count. Throws `STORE_FAILED`.
   */
  publish(): void {
    try {
      this.#current = this.#read?.get() ?? this.#current;
      if (this.#current.operations === this.#published) return;
      this.#write(false);
    } catch (thrown) {
      const text = storeMessage('commit-number-failed', { reason: fileErrorReason(thrown) });
      throw new GatewayError('STORE_FAILED', text, { cause: thrown, retryAfterS: 2 });
    }
  }

  /** Runs a checkpoint of a log with `frames` frames. Throws file errors and any error from `run`. */
  duringCheckpoint(frames: number, run: () => void): void {
    this.#checkpointFrames = frames;
    this.#write(false);
    run();
    this.#checkpointFrames = 0;
    this.#write(false);
  }

  /** Starts an fsync without waiting for it, because an fsync can take 200 ms on an SD card. */
  sync(): void {
    if (this.#isSyncing || !this.#file) return;
    this.#isSyncing = true;
    this.#file.sync((error) => {
      this.#isSyncing = false;
      this.#syncFault = error
        ? storeMessage('commit-number-unsynced', { reason: fileErrorReason(error) })
        : '';
    });
  }

  /** Why the last fsync failed; empty if it succeeded. */
  get fault(): Text {
    return this.#syncFault;
  }

  /** Call this after the database has been closed. Throws file errors. */
  close(): void {
    this.#checkpointFrames = 0;
    this.#write(true);
    this.#file?.syncNow();
    this.#file?.close();
  }

  #write(isClosed: boolean): void {
    this.#file?.write({ ...this.#current, isClosed, checkpointFrames: this.#checkpointFrames });
    this.#published = this.#current.operations;
  }
}
