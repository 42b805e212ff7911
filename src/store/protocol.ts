import type { StoreLimits } from './limits.js';
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
  freeBytes: number;
  walBytes: number;
}

/** What the start of the writer found and did. */
export interface StartReport {
  schemaVersion: number;
  /** Loud lines for health. */
  notices: string[];
  restoredFrom?: string;
}

export type FromWriter =
  | { kind: 'ready'; report: StartReport; stats: WriterStats }
  /** The database could not be opened; the thread ends. */
  | { kind: 'refused'; error: WireError }
  | { kind: 'pong' }
  /** `fault`: why the disk refuses writes, empty when it does not. */
  | { kind: 'answers'; outcomes: readonly Outcome[]; fault: string; stats: WriterStats };
