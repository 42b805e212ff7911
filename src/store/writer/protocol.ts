// The messages between the main thread and the writer thread.

import type { Text } from '../../shared/messages/message.js';
import type { LostWrites, RestoreReport } from '../../shared/ports/store.js';
import type { WireError } from '../../shared/worker.js';
import type { StoreLimits } from '../limits.js';

export interface WriterStart {
  dir: string;
  limits: StoreLimits;
  /** True after a writer crash. Readers then have the database open, so it must not be replaced or migrated. */
  isRestart: boolean;
}

export interface WireOperation {
  id: number;
  name: string;
  args: unknown;
}

export type ToWriter =
  | { kind: 'write'; operations: readonly WireOperation[] }
  /** Requests a test write, to detect that the disk has recovered. */
  | { kind: 'probe' }
  /** Requests a `pong`, to detect a hung thread. */
  | { kind: 'ping' }
  /** Commits the queued writes, then ends the thread. */
  | { kind: 'close' };

export type WriteOutcome = { id: number; result: unknown } | { id: number; error: WireError };

export interface WriterStats {
  transactions: number;
  operations: number;
  failedOperations: number;
  fsyncs: number;
  bytesWritten: number;
  lastCommitMs: number;
  walBytes: number;
}

export interface DiskState {
  readOnly: boolean;
  /** Bytes available to this process; -1 if unknown. */
  freeBytes: number;
}

/** The writer's state, sent with its responses. */
export interface WriterState {
  /** Why writes or checkpoints fail; empty if neither fails. */
  fault: Text;
  disk: DiskState;
  stats: WriterStats;
}

export interface StartReport {
  schemaVersion: number;
  notices: Text[];
  information: Text[];
  restoredFrom?: string;
  /** The restore that an administrator has not confirmed. */
  restored?: RestoreReport;
  /** True if the database was missing or damaged. */
  wasReplaced: boolean;
  lostWrites?: LostWrites;
  isLastSecondUnverified: boolean;
  /** Log records of the revocations that were applied when the database was opened. */
  replayed: Record<string, unknown>[];
}

export type FromWriter =
  | { kind: 'ready'; report: StartReport; state: WriterState }
  /** The thread could not open the database and ends. */
  | { kind: 'refused'; error: WireError; disk: DiskState }
  | { kind: 'pong'; state: WriterState }
  | { kind: 'answers'; outcomes: readonly WriteOutcome[]; state: WriterState };
