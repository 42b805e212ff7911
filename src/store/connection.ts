import BetterSqlite, { type Database } from 'better-sqlite3';
import { GatewayError } from '../shared/errors.js';
import type {
  ReadDatabase,
  SqlParams,
  Statement,
  WriteDatabase,
  WriteStatement,
} from '../shared/ports/database.js';

export type { Database, Statement } from 'better-sqlite3';

/** The order matters, because the effect of `synchronous` depends on the journal mode. */
const WRITER_PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'trusted_schema = OFF',
  // If this pragma is off, INSERT OR REPLACE deletes rows without firing the append-only triggers.
  'recursive_triggers = ON',
  'journal_size_limit = 4194304',
  // The writer runs checkpoints itself, after it has sent its responses.
  'wal_autocheckpoint = 0',
];

/** Opens an existing database file without changing it. Throws SQLite errors, such as `SQLITE_CANTOPEN`. */
export function openPlain(path: string, busyTimeoutMs: number): Database {
  return retain(new BetterSqlite(path, { timeout: busyTimeoutMs, fileMustExist: true }));
}

export interface LockHandle {
  release(): void;
}

/**
 * Holds an exclusive lock on a file, which is created if necessary and stays empty. Returns undefined if another
 * connection holds the lock. Throws SQLite errors, such as `SQLITE_CANTOPEN`.
 */
export function lockExclusively(path: string): LockHandle | undefined {
  // If two processes start at the same time, the timeout lets one of them take the lock; without a timeout, both
  // can fail.
  const db = retain(new BetterSqlite(path, { timeout: 250 }));
  try {
    // Without this pragma, SQLite creates a journal file.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return { release: () => void db.close() };
  } catch (error) {
    db.close();
    if (error instanceof BetterSqlite.SqliteError && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
}

/** Sets WAL mode, `synchronous = FULL` and foreign keys, and tests a write. Throws `STORE_FAILED`. */
export function makeDurable(db: Database): void {
  for (const pragma of WRITER_PRAGMAS) db.pragma(pragma);
  if (db.pragma('journal_mode', { simple: true }) !== 'wal') {
    throw new GatewayError(
      'STORE_FAILED',
      "the data directory's file system does not support WAL databases",
      {
        hint: 'Use a data directory on a local disk.',
      },
    );
  }
  probeWriteOf(db)();
  const level = db.pragma('synchronous', { simple: true });
  // When first using a WAL file, better-sqlite3 sets synchronous=NORMAL, which can lose commits in a power cut.
  if (level !== 2) {
    throw new GatewayError('STORE_FAILED', `the database uses synchronous=${String(level)} instead of FULL`);
  }
}

/** Returns a function that writes one page with one fsync. Call this after the migrations. */
export function probeWriteOf(db: Database): () => void {
  const version = Number(db.pragma('user_version', { simple: true }));
  return () => void db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; COMMIT`);
}

/** Opens the main thread's read-only connection. Waits up to half a heartbeat interval for WAL recovery. */
export function openForReading(path: string): Database {
  const db = retain(new BetterSqlite(path, { readonly: true, fileMustExist: true, timeout: 50 }));
  db.pragma('trusted_schema = OFF');
  return db;
}

export function readDatabase(db: Database): ReadDatabase {
  return {
    prepare<Row>(sql: string): Statement<Row> {
      return db.prepare<[SqlParams?], Row>(sql);
    },
  };
}

/** better-sqlite3's internal methods that create native objects. */
interface Native {
  prepare(...args: unknown[]): object;
  backup(...args: unknown[]): object;
}

const retained: object[] = [];

/**
 * Prevents garbage collection of `db` and its statements until the thread ends. If better-sqlite3 12 was
 * compiled with the headers of Node 24.19 or later, collecting an object while no JavaScript is running
 * aborts the process (`RemoveEnvironmentCleanupHook`, `(env) != nullptr`). Version 13 of better-sqlite3 does
 * not run on Node 20. After `db` is closed, each object uses a few hundred bytes.
 */
function retain<Connection extends Database>(db: Connection): Connection {
  const native = nativeOf(db);
  const { prepare, backup } = native;
  native.prepare = (...args) => retainObject(prepare.apply(native, args));
  native.backup = (...args) => retainObject(backup.apply(native, args));
  return retainObject(db);
}

function retainObject<T extends object>(object: T): T {
  retained.push(object);
  return object;
}

/** Patches the native object, because pragmas, transactions and backups bypass the public methods. */
function nativeOf(db: Database): Native {
  const values = Object.getOwnPropertySymbols(db).map((symbol) => Reflect.get(db, symbol));
  const native = values.find((value) => typeof value?.prepare === 'function');
  if (!native) throw new Error('better-sqlite3 no longer exposes its native connection as a symbol');
  return native;
}

/** The returned connection compiles each SQL string only once. */
export function writeDatabase(db: Database): WriteDatabase {
  // Does not grow without limit, because operations use a fixed set of SQL strings.
  const statements = new Map<string, WriteStatement<unknown>>();
  return {
    prepare<Row>(sql: string): WriteStatement<Row> {
      const known = statements.get(sql);
      if (known) return known as WriteStatement<Row>;
      const statement = db.prepare<[SqlParams?], Row>(sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}
