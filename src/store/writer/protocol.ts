import { type ErrorDetails, GatewayError, messageOf } from '../../shared/errors.js';
import { messageJson, parseMessageJson, type Text } from '../../shared/messages/message.js';
import type { StoreLimits } from '../limits.js';

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
  fault: Text;
  disk: DiskState;
  stats: WriterStats;
}

/** What the start of the writer found and did. */
export interface StartReport {
  schemaVersion: number;
  /** Loud lines for health. */
  notices: Text[];
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

/** An error as it crosses between threads: classes do not survive the copy, so they are rebuilt. */
export interface WireError {
  isGatewayError: boolean;
  /** Empty when it had none. */
  code: string;
  message: string;
  /** JSON, because what a module puts there must never keep the answer of others from crossing. */
  info?: string;
  stack?: string;
}

/** The thrown value as plain data. */
export function toWire(thrown: unknown): WireError {
  const message = messageOf(thrown);
  if (thrown instanceof GatewayError) {
    const { code, said, info } = thrown;
    return { isGatewayError: true, code, message, info: messageJson({ said, info }) };
  }
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return { isGatewayError: false, code: sqliteCode(thrown), message, ...(stack ? { stack } : {}) };
}

/** The error again: a `GatewayError`, or an `Error` with the writer's stack and the `code` that SQLite gave. */
export function fromWire(wire: WireError): Error {
  if (wire.isGatewayError) {
    const { said = wire.message, info = {} } = detailsOf(wire.info);
    return new GatewayError(wire.code, said, info);
  }
  const error = new Error(wire.message);
  if (wire.stack) error.stack = wire.stack;
  return wire.code ? Object.assign(error, { code: wire.code }) : error;
}

/** `SQLITE_…` as SQLite's own errors carry it; empty for any other error. */
export function sqliteCode(thrown: unknown): string {
  if (!(thrown instanceof Error) || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' && thrown.code.startsWith('SQLITE_') ? thrown.code : '';
}

function detailsOf(info = '{}'): { said?: Text; info?: ErrorDetails } {
  return parseMessageJson(info) as { said?: Text; info?: ErrorDetails };
}
