export type SqlValue = string | number | bigint | Uint8Array | null;

/** Named parameters, without the `@`: `{ id: 'abc' }` for `WHERE id = @id`. */
export type SqlParams = Readonly<Record<string, SqlValue>>;

/** A prepared query. A row is a plain object with one member per column. */
export interface Statement<Row> {
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
  /**
   * Returns the rows one by one. Complete the iteration in the same event-loop turn: until then, the
   * statement is busy and the write-ahead log cannot be truncated. For long responses, use keyset pagination
   * instead.
   */
  iterate(params?: SqlParams): IterableIterator<Row>;
}

/** The main thread's read-only connection. It reads the latest commit and never waits for the writer. */
export interface ReadDatabase {
  /** Compiles a query. Reuse the statement, because compiling a query takes longer than running it. */
  prepare<Row>(sql: string): Statement<Row>;
}

export interface WriteStatement<Row> {
  run(params?: SqlParams): { changes: number; lastInsertRowid: number | bigint };
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
}

/**
 * The interface through which a write operation uses the database. Each operation runs in its own savepoint.
 * The store manages transactions.
 */
export interface WriteDatabase {
  /** Statements are cached by their SQL text, so every operation may call this. */
  prepare<Row = unknown>(sql: string): WriteStatement<Row>;
}

/**
 * A synchronous function in a module's `writes.ts`. It runs on the writer thread, so its arguments and result
 * must be plain data. An error rolls back only this operation and rejects the caller's promise.
 */
export type WriteOperation = (db: WriteDatabase, args: never) => unknown;

/** A module's operations, keyed by name in the form `module.verb` (`beacons.put`). */
export type WriteOperations = Readonly<Record<string, WriteOperation>>;
