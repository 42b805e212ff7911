export type SqlValue = string | number | bigint | Uint8Array | null;

/** Named parameters, without the `@`: `{ id: 'abc' }` for `WHERE id = @id`. */
export type SqlParams = Readonly<Record<string, SqlValue>>;

export interface Statement<Row> {
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
  /**
   * Read all rows synchronously, because an open iterator blocks truncation of the write-ahead log. For long
   * responses, use keyset pagination.
   */
  iterate(params?: SqlParams): IterableIterator<Row>;
}

/** The main thread's read-only connection, whose reads never wait for the writer. */
export interface ReadDatabase {
  /** Reuse statements, because compiling a query takes longer than running it. */
  prepare<Row>(sql: string): Statement<Row>;
}

export interface WriteStatement<Row> {
  run(params?: SqlParams): { changes: number; lastInsertRowid: number | bigint };
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
}

/** A write operation's access to the database. Each operation runs in its own savepoint. */
export interface WriteDatabase {
  /** Statements are cached by their SQL text. */
  prepare<Row = unknown>(sql: string): WriteStatement<Row>;
}

/** Runs synchronously on the writer thread, with plain data. An error rolls back only this operation. */
export type WriteOperation = (db: WriteDatabase, args: never) => unknown;

/** Operations by name, such as `beacons.create`. */
export type WriteOperations = Readonly<Record<string, WriteOperation>>;
