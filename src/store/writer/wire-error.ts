import { type ErrorDetails, GatewayError, messageOf } from '../../shared/errors.js';

/** An error as it crosses between threads: classes do not survive the copy, so they are rebuilt. */
export interface WireError {
  isGatewayError: boolean;
  /** Empty when it had none. */
  code: string;
  message: string;
  /** JSON, because what a room puts there must never keep the answer of others from crossing. */
  info?: string;
  stack?: string;
}

/** The thrown value as plain data. */
export function toWire(thrown: unknown): WireError {
  const message = messageOf(thrown);
  if (thrown instanceof GatewayError) {
    return { isGatewayError: true, code: thrown.code, message, info: JSON.stringify(thrown.info) };
  }
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return { isGatewayError: false, code: sqliteCode(thrown), message, ...(stack ? { stack } : {}) };
}

/** The error again: a `GatewayError`, or an `Error` with the writer's stack and the `code` that SQLite gave. */
export function fromWire(wire: WireError): Error {
  if (wire.isGatewayError) return new GatewayError(wire.code, wire.message, detailsOf(wire.info));
  const error = new Error(wire.message);
  if (wire.stack) error.stack = wire.stack;
  return wire.code ? Object.assign(error, { code: wire.code }) : error;
}

/** `SQLITE_…` as SQLite's own errors carry it; empty for any other error. */
export function sqliteCode(thrown: unknown): string {
  if (!(thrown instanceof Error) || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' && thrown.code.startsWith('SQLITE_') ? thrown.code : '';
}

function detailsOf(info = '{}'): ErrorDetails {
  return JSON.parse(info) as ErrorDetails;
}
