export type SqlValue = string | number | bigint | Uint8Array | null;

/** Named parameters without `@`: `{ id: 'abc' }` for `WHERE id = @id`. */
export type SqlParams = Readonly<Record<string, SqlValue>>;

/** A prepared query. A row is a plain object with one member per column. */
export interface Statement<Row> {
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
  /**
   * Row by row. Complete the iteration in the same event-loop turn: until then the statement is busy and the write-ahead
   * log cannot be truncated. Long responses page by key instead.
   */
  iterate(params?: SqlParams): IterableIterator<Row>;
}

/** The main thread's read-only connection. Sees the last commit and never waits for the writer. */
export interface ReadDatabase {
  /** Compiles a query. Reuse the statement: compiling costs more than running. */
  prepare<Row>(sql: string): Statement<Row>;
}

export interface WriteStatement<Row> {
  run(params?: SqlParams): { changes: number; lastInsertRowid: number | bigint };
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
}

/** The database of a write operation, inside its own savepoint. The store manages transactions. */
export interface WriteDatabase {
  /** Statements are cached by text, so that every operation may call it. */
  prepare<Row = unknown>(sql: string): WriteStatement<Row>;
}

/**
 * A synchronous function of a module's `writes.ts`. It runs on the writer thread, so arguments and result must be plain
 * data. An error rolls back this operation only and rejects the promise of its caller.
 */
export type WriteOperation = (db: WriteDatabase, args: never) => unknown;

/** The operations of a module by name, `module.verb` (`beacons.put`). */
export type WriteOperations = Readonly<Record<string, WriteOperation>>;
