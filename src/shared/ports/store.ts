import type { Text } from '../messages/message.js';
import type { Cancel } from './clock.js';
import type { ReadDatabase } from './database.js';

/**
 * Message code of an error that means that nothing was saved. After any other store error, the data may have been
 * saved.
 */
export const NOTHING_SAVED = 'store.nothing-saved';

export interface CommittedWrite {
  name: string;
  args: unknown;
  /** Absent if `outcome` is `unknown`. */
  result?: unknown;
}

/** The writes of one transaction, used to invalidate read caches. */
export interface Commit {
  /** `unknown`: the writer thread or the disk failed, so the writes may or may not be saved. */
  outcome: 'saved' | 'unknown';
  /** The distinct names in `writes`. */
  names: readonly string[];
  /** Successful writes in execution order. */
  writes: readonly CommittedWrite[];
}

/** Counters since the gateway started. */
export interface StoreMetrics {
  transactions: number;
  operations: number;
  /** Operations that threw an error or whose transaction failed. */
  failedOperations: number;
  /** Operations rejected with `STORE_BUSY`. */
  refusedOperations: number;
  fsyncs: number;
  /** Bytes written to the write-ahead log and, by checkpoints, to the database file. */
  bytesWritten: number;
  /** Average number of fsyncs per acknowledged operation; initially 0. */
  fsyncsPerWrite: number;
  bytesPerWrite: number;
  writerRestarts: number;
  lastCommitMs: number;
  /** Free space on the file system in bytes; -1 if unknown. */
  freeBytes: number;
  walBytes: number;
}

export interface BackupReport {
  path: string;
  bytes: number;
  ms: number;
}

/** Acknowledged writes that the database no longer contains, found when the gateway started. */
export interface LostWrites {
  code: 'STORE_LOST_WRITES';
  /** When the loss was found, as Unix time in ms. */
  at: number;
  /** Number of lost writes; 0 if unknown. */
  count: number;
  /** Name of the copy of the damaged database; empty if no copy exists. */
  kept: string;
  /** Why the damaged files were not kept. */
  notKept?: Text;
  /** The newest intact backup that contains lost writes, and how many of them it contains. */
  backup?: { name: string; writes: number };
}

/** A backup that replaced the database. */
export interface RestoreReport {
  /** Empty if the report is unreadable. */
  name: string;
  /** Unix time in ms of the restore. */
  at: number;
  /** Who requested the restore; empty if the gateway replaced a missing or damaged database. */
  by: Text;
  /** Name of the file that contains the previous database; empty if there is none. */
  kept: string;
}

export interface StoreStatus {
  healthy: boolean;
  /** True if the file system is read-only or was too full at startup. */
  readOnly: boolean;
  reason: Text;
  /** Warnings that remain until the next start, such as a renamed damaged file or a failed daily backup. */
  notices: readonly Text[];
  /** Startup events that are not faults, such as a restore. */
  information: readonly Text[];
  /** Path of the backup that replaced the database during this start. */
  restoredFrom?: string;
  /** Present until an administrator confirms that the stored payments are correct. */
  restored?: RestoreReport;
  /** Present until a person acknowledges the loss. */
  lostWrites?: LostWrites;
  /** True if a power cut preceded this start, so that the last second of writes cannot be verified. */
  isLastSecondUnverified?: boolean;
  schemaVersion: number;
  queueOperations: number;
  queueBytes: number;
  /** Age in ms of the oldest pending request to the writer thread, or 0. */
  writerSilentMs: number;
  metrics: StoreMetrics;
  /** The latest valid backup. `at` is the Unix time in ms. */
  lastBackup?: { path: string; bytes: number; at: number };
}

export interface Store {
  readonly read: ReadDatabase;
  /** Why nothing can be written to the disk, not even a latched stop; empty if writes succeed. */
  readonly unwritableReason: Text;
  /** True if the database was missing or damaged at startup, so the latest entries may be missing. */
  readonly wasReplaced: boolean;
  /**
   * Resolves when the write is durable (committed and fsynced). Operations run in call order. Rejects with
   * the operation's error, `STORE_BUSY` (queue full), `STORE_FULL` (disk full), `STORE_FAILED` (nothing
   * saved, unless the message reports an unknown outcome), `TOO_LARGE` or `STOPPING`.
   */
  write<Result = unknown>(name: string, args: unknown): Promise<Result>;
  status(): StoreStatus;
  /** Calls the listener after every commit, before the promises returned by `write` resolve. */
  onCommit(listener: (commit: Commit) => void): Cancel;
  /** Calls the listener with the reason when the daily backup fails. */
  onBackupFailed(listener: (reason: Text) => void): Cancel;
  /** Clears the report of lost writes. Rejects with `NOT_FOUND`, or a file error if the report remains. */
  acknowledgeLostWrites(): Promise<LostWrites>;
  /** Ends the report of a restore. Rejects with `NOT_FOUND`, or a file error if the report remains. */
  confirmRestore(): Promise<RestoreReport>;
  /** Creates a verified backup without blocking writes. Rejects with `STORE_FAILED` or `STORE_FULL`. */
  backup(): Promise<BackupReport>;
  /** Rejects new writes, commits the queue and ends the writer thread. */
  close(): Promise<void>;
}
