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

/** In this order: what synchronous means depends on the journal mode. */
const WRITER_PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'trusted_schema = OFF',
  // Without it INSERT OR REPLACE deletes rows behind the back of the append-only triggers.
  'recursive_triggers = ON',
  'journal_size_limit = 4194304',
  // The writer makes its own checkpoints, after the answers have gone out.
  'wal_autocheckpoint = 0',
];

/**
 * Opens an existing file as it is, with no pragma that changes it. Waits `busyTimeoutMs` for locks of others. Throws SQLite's own
 * error, `SQLITE_CANTOPEN` for one.
 */
export function openPlain(path: string, busyTimeoutMs: number): Database {
  return keepUncollected(new BetterSqlite(path, { timeout: busyTimeoutMs, fileMustExist: true }));
}

/** Makes a connection the durable writer: WAL, FULL, foreign keys; proves it with a write. Throws when it cannot. */
export function makeDurable(db: Database): void {
  for (const pragma of WRITER_PRAGMAS) db.pragma(pragma);
  if (db.pragma('journal_mode', { simple: true }) !== 'wal') {
    throw new GatewayError(
      'STORE_FAILED',
      'the file system of the data directory cannot hold a WAL database',
      {
        hint: 'Put the data directory on a local disk.',
      },
    );
  }
  toucherOf(db)();
  const level = db.pragma('synchronous', { simple: true });
  // better-sqlite3 is built to fall back to NORMAL at the first use of a WAL file, where a power cut loses commits.
  if (level !== 2) {
    throw new GatewayError('STORE_FAILED', `the database runs at synchronous=${String(level)}, not at FULL`);
  }
}

/** The smallest real write: one page, one fsync, nothing changed. For a file whose migrations are over. */
export function toucherOf(db: Database): () => void {
  const version = Number(db.pragma('user_version', { simple: true }));
  return () => void db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; COMMIT`);
}

/** The main thread's connection. It waits for a lock for at most half a heartbeat, only while the file recovers. */
export function openForReading(path: string): Database {
  const db = keepUncollected(new BetterSqlite(path, { readonly: true, fileMustExist: true, timeout: 50 }));
  db.pragma('trusted_schema = OFF');
  return db;
}

/** A connection as modules see it. The statements are those of better-sqlite3, without a wrapper. */
export function readDatabase(db: Database): ReadDatabase {
  return {
    prepare<Row>(sql: string): Statement<Row> {
      return db.prepare<[SqlParams?], Row>(sql);
    },
  };
}

/** The internal methods of a better-sqlite3 connection that create native objects. */
interface Native {
  prepare(...args: unknown[]): object;
  backup(...args: unknown[]): object;
}

const kept: object[] = [];

/**
 * Prevents garbage collection of `db` and its statements until the thread ends. Compiled with the headers of Node 24.19 or
 * later, better-sqlite3 12 aborts the process when one of its objects is collected while no JavaScript runs
 * (`RemoveEnvironmentCleanupHook`, `(env) != nullptr`); version 13 does not run on Node 20. A closed object holds a few
 * hundred bytes, and each SQL text is prepared once.
 */
function keepUncollected<Connection extends Database>(db: Connection): Connection {
  const native = nativeOf(db);
  const { prepare, backup } = native;
  native.prepare = (...args) => keep(prepare.apply(native, args));
  native.backup = (...args) => keep(backup.apply(native, args));
  return keep(db);
}

function keep<Thing extends object>(thing: Thing): Thing {
  kept.push(thing);
  return thing;
}

/** Pragmas, transactions and backups bypass the public methods. */
function nativeOf(db: Database): Native {
  const values = Object.getOwnPropertySymbols(db).map((symbol) => Reflect.get(db, symbol));
  const native = values.find((value) => typeof value?.prepare === 'function');
  if (!native) throw new Error('better-sqlite3 no longer exposes its native connection as a symbol');
  return native;
}

/** The connection as write operations see it. Each SQL text is compiled once. */
export function writeDatabase(db: Database): WriteDatabase {
  // Bounded: operations have a fixed set of SQL texts.
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
