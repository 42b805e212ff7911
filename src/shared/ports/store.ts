import type { Text } from '../messages/message.js';
import type { Cancel } from './clock.js';
import type { ReadDatabase } from './database.js';

export interface CommittedWrite {
  name: string;
  args: unknown;
  /** The operation's result; absent if `outcome` is `unknown`. */
  result?: unknown;
}

/** The writes of one transaction, used to invalidate read caches. */
export interface Commit {
  /** `unknown` means that the writer thread or the disk failed, so the writes may or may not be saved. */
  outcome: 'saved' | 'unknown';
  /** The distinct names in `writes`. */
  names: readonly string[];
  /** The writes in order of execution, excluding failed operations. */
  writes: readonly CommittedWrite[];
}

/** Counters since the gateway started. */
export interface StoreMetrics {
  transactions: number;
  /** Acknowledged write operations. */
  operations: number;
  /** Operations that threw, or whose transaction failed. */
  failedOperations: number;
  /** Operations rejected with `STORE_BUSY` before they were queued. */
  refusedOperations: number;
  fsyncs: number;
  /** Bytes written to the write-ahead log and, at checkpoints, to the database file. */
  bytesWritten: number;
  /** Average per acknowledged operation; 0 before the first operation. */
  fsyncsPerWrite: number;
  bytesPerWrite: number;
  writerRestarts: number;
  /** Time from the start of the latest transaction to its commit, ms. */
  lastCommitMs: number;
  /** Free space on the file system; -1 if unknown. */
  freeBytes: number;
  walBytes: number;
}

export interface BackupReport {
  path: string;
  bytes: number;
  ms: number;
}

export interface StoreStatus {
  healthy: boolean;
  /** True if the file system is read-only, or was too full at startup to open the database. */
  readOnly: boolean;
  /** The reason that writes fail; empty if the store is healthy. */
  reason: Text;
  /**
   * Warnings that remain until the next start, for example because a damaged file was renamed or a daily
   * backup failed.
   */
  notices: readonly Text[];
  /** The backup that replaced a damaged database during this start. */
  restoredFrom?: string;
  /** The number of the latest migration. */
  schemaVersion: number;
  /** Number of writes that are not yet committed. */
  queueOperations: number;
  queueBytes: number;
  /** Time since the oldest unanswered request to the writer thread, ms; 0 if there is none. */
  writerSilentMs: number;
  metrics: StoreMetrics;
  /** The latest valid backup. `at` is in ms since 1970 UTC. */
  lastBackup?: { path: string; bytes: number; at: number };
}

export interface Store {
  readonly read: ReadDatabase;
  /** The reason that the disk accepts no writes, not even an E-stop latch; empty if it accepts writes. */
  readonly unwritableReason: Text;
  /**
   * Runs a write operation and resolves with its result once the write is durable (committed and fsynced).
   * Operations run in the order of the calls. Rejects with the operation's error, `STORE_BUSY` (queue full),
   * `STORE_FULL` (disk full), `STORE_FAILED` (nothing saved, unless the message reports an unknown outcome),
   * `TOO_LARGE` (larger than the queue) or `STOPPING` (after `close()`).
   */
  write<Result = unknown>(name: string, args: unknown): Promise<Result>;
  status(): StoreStatus;
  /** Calls the listener after every commit, before the promises of its writes resolve. */
  onCommit(listener: (commit: Commit) => void): Cancel;
  /** Creates a verified backup while writes continue. Rejects with `STORE_FAILED` or `STORE_FULL`. */
  backup(): Promise<BackupReport>;
  /** Rejects new writes, commits the queue and ends the writer thread. */
  close(): Promise<void>;
}
