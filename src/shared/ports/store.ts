import type { Text } from '../messages/message.js';
import type { Cancel } from './clock.js';
import type { ReadDatabase } from './database.js';

export interface CommittedWrite {
  name: string;
  args: unknown;
  /** What the operation returned; missing when `outcome` is `unknown`. */
  result?: unknown;
}

/** What one transaction changed: for caches of what was read. */
export interface Commit {
  /** `unknown`: the writer died or its disk failed before it answered, so these may have been saved or not. */
  outcome: 'saved' | 'unknown';
  /** The names of `writes`, each once. */
  names: readonly string[];
  /** In the order in which they were made; operations that failed are left out. */
  writes: readonly CommittedWrite[];
}

/** Everything since the gateway started. */
export interface StoreMetrics {
  transactions: number;
  /** Acknowledged write operations. */
  operations: number;
  /** Operations that threw, or whose transaction failed. */
  failedOperations: number;
  /** Refused before they were queued: `STORE_BUSY`. */
  refusedOperations: number;
  fsyncs: number;
  /** To the write-ahead log and, at a checkpoint, to the database file. */
  bytesWritten: number;
  /** Write amplification, for each acknowledged operation; 0 before the first. */
  fsyncsPerWrite: number;
  bytesPerWrite: number;
  writerRestarts: number;
  /** From the start of the newest transaction to its commit, ms. */
  lastCommitMs: number;
  /** Of the file system; -1 when it is not known yet. */
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
  /** The file system takes no writes, or had no room to open the database at the start. */
  readOnly: boolean;
  /** Why writes fail, in words; empty when healthy. */
  reason: Text;
  /** Loud lines that stay until the next start: a damaged file set aside, a failed nightly backup. */
  notices: readonly Text[];
  /** The backup that took the place of a damaged database at this start. */
  restoredFrom?: string;
  /** The number of the newest migration. */
  schemaVersion: number;
  /** Writes that wait for their commit. */
  queueOperations: number;
  queueBytes: number;
  /** How long the writer has owed an answer; 0 when it owes none. */
  writerSilentMs: number;
  metrics: StoreMetrics;
  /** The newest good backup; `at` in ms since 1970 UTC. */
  lastBackup?: { path: string; bytes: number; at: number };
}

/** The gateway's one database. */
export interface Store {
  readonly read: ReadDatabase;
  /** The reason why the disk accepts no write, not even that of an E-stop latch; empty if it does. */
  readonly unwritableReason: Text;
  /**
   * Runs a write operation and resolves with its result once it is durable (committed and fsynced). Operations are made
   * in the order of the calls. Rejects with what the operation threw; `STORE_BUSY` when too much waits already;
   * `STORE_FULL` (disk) and `STORE_FAILED` with nothing saved, or, as its sentence then says, not known whether;
   * `TOO_LARGE` when it could never fit; `STOPPING` after `close()`.
   */
  write<Result = unknown>(name: string, args: unknown): Promise<Result>;
  status(): StoreStatus;
  /** Called after every commit, before the promises of its writes resolve. */
  onCommit(listener: (commit: Commit) => void): Cancel;
  /** Makes a verified copy of the database beside it while writes go on. Rejects with `STORE_FAILED` or `STORE_FULL`. */
  backup(): Promise<BackupReport>;
  /** Refuses new writes, commits those that wait, and ends the writer. */
  close(): Promise<void>;
}
