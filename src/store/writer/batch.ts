// Runs on the writer thread.

import { GatewayError } from '../../shared/errors.js';
import type { WriteDatabase, WriteOperation, WriteOperations } from '../../shared/ports/database.js';
import { toWire } from '../../shared/worker.js';
import { type Database, writeDatabase } from '../connection.js';
import {
  diskError,
  isDamage,
  isDiskFault,
  requireWritableMount,
  unknownOutcomeError,
} from '../disk-errors.js';
import type { WireOperation, WriteOutcome } from './protocol.js';

export interface BatchResult {
  outcomes: WriteOutcome[];
  fault?: GatewayError;
  /** Set if an operation found a damaged page; the other operations were saved. */
  damage?: GatewayError;
}

export function rejectAll(operations: readonly WireOperation[], fault: GatewayError): BatchResult {
  const error = toWire(fault);
  return { outcomes: operations.map(({ id }) => ({ id, error })), fault };
}

/** Returns the number of operations that succeeded. */
export function savedOf(outcomes: readonly WriteOutcome[]): number {
  return outcomes.reduce((sum, outcome) => sum + ('error' in outcome ? 0 : 1), 0);
}

export interface CommitHooks {
  /** Called in the transaction, with the number of operations that succeeded. */
  beforeCommit(operations: number): void;
  /**
   * Called after the commit. An exception makes the whole batch's outcome unknown. A `GatewayError` is reported
   * unchanged, so its text must state that the outcome is unknown.
   */
  onCommitted(): void;
}

const NO_HOOKS: CommitHooks = { beforeCommit: () => {}, onCommitted: () => {} };

/** Group commit with one transaction and one fsync per batch, and one savepoint per operation. */
export class Batches {
  readonly #db: Database;
  readonly #dir: string;
  readonly #operations: WriteOperations;
  readonly #writes: WriteDatabase;
  readonly #hooks: CommitHooks;
  readonly #begin;
  readonly #commit;
  readonly #savepoint;
  readonly #release;
  readonly #undo;

  constructor(db: Database, dir: string, operations: WriteOperations, hooks = NO_HOOKS) {
    this.#hooks = hooks;
    this.#db = db;
    this.#dir = dir;
    this.#operations = operations;
    this.#writes = writeDatabase(db);
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#savepoint = db.prepare('SAVEPOINT operation');
    this.#release = db.prepare('RELEASE operation');
    this.#undo = db.prepare('ROLLBACK TO operation');
  }

  /** Returns one outcome per operation. After a disk error, every outcome is that error. Never throws. */
  run(operations: readonly WireOperation[]): BatchResult {
    const result: BatchResult = { outcomes: [] };
    try {
      this.#begin.run();
      for (const operation of operations) this.#runOne(operation, result);
      this.#hooks.beforeCommit(savedOf(result.outcomes));
      this.#commit.run();
    } catch (thrown) {
      this.#rollBack();
      const fault = thrown instanceof GatewayError ? thrown : diskError(thrown, this.#dir);
      return rejectAll(operations, fault);
    }
    try {
      requireWritableMount(this.#dir);
      this.#hooks.onCommitted();
      return result;
    } catch (thrown) {
      const fault = thrown instanceof GatewayError ? thrown : unknownOutcomeError(thrown, this.#dir);
      return rejectAll(operations, fault);
    }
  }

  #runOne({ id, name, args }: WireOperation, result: BatchResult): void {
    this.#savepoint.run();
    try {
      const value = this.#call(name, args);
      this.#release.run();
      result.outcomes.push({ id, result: value });
    } catch (thrown) {
      // A disk error fails the whole batch, as does a conflict clause that ended the transaction.
      if (isDiskFault(thrown)) throw thrown;
      if (!this.#db.inTransaction) throw endedByOperation(name, thrown);
      this.#undo.run();
      this.#release.run();
      const error = isDamage(thrown) ? diskError(thrown, this.#dir) : thrown;
      if (error instanceof GatewayError && error !== thrown) result.damage = error;
      result.outcomes.push({ id, error: toWire(error) });
    }
  }

  #call(name: string, args: unknown): unknown {
    if (!Object.hasOwn(this.#operations, name)) throw new Error(`there is no write operation "${name}"`);
    const operation = this.#operations[name] as (
      db: WriteDatabase,
      args: unknown,
    ) => ReturnType<WriteOperation>;
    const value = operation(this.#writes, args);
    // After its first `await`, an asynchronous operation would run in another operation's savepoint.
    if (value instanceof Promise) throw new Error(`the write operation "${name}" is not synchronous`);
    // Throws while the write can still be undone if the result cannot be sent to the main thread.
    return structuredClone(value);
  }

  #rollBack(): void {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back the transaction; the first error is reported.
    }
  }
}

function endedByOperation(name: string, cause: unknown): GatewayError {
  const text = `nothing was saved: the write operation "${name}" ended the shared transaction`;
  return new GatewayError('STORE_FAILED', text, { cause });
}
