import Database from 'better-sqlite3';
import { GatewayError } from '../shared/errors.js';
import type { ReadDatabase, SqlParams, Statement } from '../shared/ports/ports.js';
import { keepUncollected } from './writer/gc-workaround.js';

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
export function openPlain(path: string, busyTimeoutMs: number): Database.Database {
  return keepUncollected(new Database(path, { timeout: busyTimeoutMs, fileMustExist: true }));
}

/** Makes a connection the durable writer: WAL, FULL, foreign keys; proves it with a write. Throws when it cannot. */
export function makeDurable(db: Database.Database): void {
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
export function toucherOf(db: Database.Database): () => void {
  const version = Number(db.pragma('user_version', { simple: true }));
  return () => void db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; COMMIT`);
}

/** The main thread's connection. It must never wait long: half a heartbeat at most, and only while the file recovers. */
export function openForReading(path: string): Database.Database {
  const db = keepUncollected(new Database(path, { readonly: true, fileMustExist: true, timeout: 50 }));
  db.pragma('trusted_schema = OFF');
  return db;
}

/** A connection as rooms see it. The statements are better-sqlite3's own: nothing lies between a room and a row. */
export function readDatabase(db: Database.Database): ReadDatabase {
  return {
    prepare<Row>(sql: string): Statement<Row> {
      return db.prepare<[SqlParams?], Row>(sql);
    },
  };
}
