import type { StoreLimits } from '../limits.js';
import type { WireError } from './wire-error.js';

/** What the writer thread is started with. */
export interface WriterStart {
  dir: string;
  limits: StoreLimits;
  /** After a crash of the writer: readers have the file open, so it is not checked, replaced or migrated. */
  isRestart: boolean;
}

export interface WireOperation {
  id: number;
  name: string;
  args: unknown;
}

export type ToWriter =
  | { kind: 'write'; operations: readonly WireOperation[] }
  /** Writes a little to learn whether the disk has recovered. */
  | { kind: 'probe' }
  /** Asks for a `pong`, to learn whether the thread still takes its messages. */
  | { kind: 'ping' }
  /** Commits what is queued, then ends the thread. */
  | { kind: 'close' };

export type Outcome = { id: number; result: unknown } | { id: number; error: WireError };

/** Counters of one writer thread, from its start. */
export interface WriterStats {
  transactions: number;
  operations: number;
  failedOperations: number;
  fsyncs: number;
  bytesWritten: number;
  lastCommitMs: number;
  walBytes: number;
}

/** What the disk of the data directory takes, whatever else is wrong. */
export interface DiskState {
  /** Its file system takes no writes. */
  readOnly: boolean;
  /** Free for this process; -1 = not known. */
  freeBytes: number;
}

/** How the writer is, as it tells with every message. */
export interface WriterState {
  /** Why the disk refuses writes, in words; empty when it does not. */
  fault: string;
  disk: DiskState;
  stats: WriterStats;
}

/** What the start of the writer found and did. */
export interface StartReport {
  schemaVersion: number;
  /** Loud lines for health. */
  notices: string[];
  restoredFrom?: string;
  /** What the revocation journal took away from an older database, for the log. */
  replayed: Record<string, unknown>[];
}

export type FromWriter =
  | { kind: 'ready'; report: StartReport; state: WriterState }
  /** The database could not be opened; the thread ends. */
  | { kind: 'refused'; error: WireError; disk: DiskState }
  | { kind: 'pong'; state: WriterState }
  | { kind: 'answers'; outcomes: readonly Outcome[]; state: WriterState };
