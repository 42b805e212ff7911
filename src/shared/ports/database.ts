export type SqlValue = string | number | bigint | Uint8Array | null;

/** Named parameters, without their `@`: `{ id: 'abc' }` for `WHERE id = @id`. */
export type SqlParams = Readonly<Record<string, SqlValue>>;

/** One prepared query; a row is a plain object, one member a column. */
export interface Statement<Row> {
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
  /**
   * Row by row. Run it to its end in the same turn: until then the statement cannot be used again and the write-ahead
   * log cannot shrink. Long answers page by key instead.
   */
  iterate(params?: SqlParams): IterableIterator<Row>;
}

/** The main thread's read-only view: it sees what was committed last and never waits for a writer. */
export interface ReadDatabase {
  /** Compiles a query; keep the statement, compiling costs more than running. */
  prepare<Row>(sql: string): Statement<Row>;
}

export interface WriteStatement<Row> {
  run(params?: SqlParams): { changes: number; lastInsertRowid: number | bigint };
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
}

/** What a write operation works on, inside its own savepoint. Transactions are the store's business. */
export interface WriteDatabase {
  /** Compiled once for each text, so it may be called in every operation. */
  prepare<Row = unknown>(sql: string): WriteStatement<Row>;
}

/**
 * One change, as a plain synchronous function of a room's `writes.ts`. It runs on the writer thread: arguments and
 * result are copied (plain data only). What it throws fails its own caller alone and undoes what it did.
 */
export type WriteOperation = (db: WriteDatabase, args: never) => unknown;

/** The operations of a room by name, `room.verb` (`beacons.put`). */
export type WriteOperations = Readonly<Record<string, WriteOperation>>;
