import { mkdirSync } from 'node:fs';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { ReplayRevocations } from '../../shared/ports/revocations.js';
import { makeBackup } from '../backup/backups.js';
import { type Database, makeDurable, openPlain, writeDatabase } from '../connection.js';
import { diskError, diskReason, isDiskFault, isFull } from '../disk-errors.js';
import type { StoreLimits } from '../limits.js';
import { MIGRATIONS } from '../migrations/index.js';
import type { Migration } from '../migrations/migration.js';
import { type StorePaths, storePaths } from '../paths.js';
import type { StartReport } from '../writer/protocol.js';
import { layByReserve, useReserve } from './disk-reserve.js';
import { type Recovery, recoverDatabase, restoreChosen } from './recover.js';
import { RevocationJournal } from './revocations.js';

/** The number of the newest migration that the file has had. */
export function schemaVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Throws `STORE_NEWER` when a newer gateway has worked on this file: an older one would misread it. */
export function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new GatewayError(
    'STORE_NEWER',
    `the database is of version ${version}, newer than this gateway, which knows ${known}`,
    { hint: 'Install the newer gateway again, or restore a backup that was made before it.' },
  );
}

/**
 * Brings the file to the newest version, each step in one transaction with its number. A step that fails leaves the file
 * as the step before it made it and throws `STORE_FAILED` with its name and cause.
 */
export function migrate(db: Database, migrations: readonly Migration[], dir: string): void {
  for (const [index, migration] of migrations.entries()) {
    const version = index + 1;
    if (version <= schemaVersion(db)) continue;
    try {
      db.transaction(() => step(db, migration, version)).immediate();
    } catch (thrown) {
      if (isDiskFault(thrown)) throw diskError(thrown, dir);
      const text = `migration ${version} (${migration.name}) failed, nothing was changed: ${messageOf(thrown)}`;
      throw new GatewayError('STORE_FAILED', text, { cause: thrown });
    }
  }
}

function step(db: Database, migration: Migration, version: number): void {
  // Tables may be rebuilt on the way; what must hold is the end.
  db.pragma('defer_foreign_keys = ON');
  const { prepare } = writeDatabase(db);
  migration.up({ exec: (sql) => void db.exec(sql), prepare });
  const [orphan] = db.pragma('foreign_key_check') as { table: string }[];
  if (orphan) throw new Error(`rows of "${orphan.table}" would point to nothing`);
  db.pragma(`user_version = ${version}`);
}

interface StartOptions {
  migrations?: readonly Migration[];
  /** Applies the revocation journal to a database that is older; left out: nothing is revoked. */
  replay?: ReplayRevocations;
}

export interface StartedDatabase {
  db: Database;
  /** To be published after each commit. */
  journal: RevocationJournal;
  report: StartReport;
}

/**
 * From whatever is in the data directory to a sound, migrated, durable connection. Throws `STORE_NEWER`, `STORE_FULL` or
 * `STORE_FAILED`, with the files as they were or, after a migration that failed, as the one before it left them.
 */
export async function startDatabase(
  dir: string,
  limits: StoreLimits,
  isRestart: boolean,
  { migrations = MIGRATIONS, replay = () => [] }: StartOptions = {},
): Promise<StartedDatabase> {
  const paths = storePaths(dir);
  let db: Database | undefined;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    useReserve(paths);
    const recovery = isRestart ? { notices: [] } : restoreAndRecover(paths, limits);
    db = openPlain(paths.database, limits.busyTimeoutMs);
    const version = schemaVersion(db);
    refuseNewer(version, migrations.length);
    makeDurable(db);
    if (version > 0 && version < migrations.length) await makeBackup(db, paths, limits, Date.now());
    migrate(db, migrations, dir);
    const journal = new RevocationJournal(db, paths);
    const { notices, replayed } = journal.reconcile(replay);
    layByReserve(paths, limits.minFreeBytes);
    const report = { schemaVersion: migrations.length, ...recovery, replayed };
    return { db, journal, report: { ...report, notices: [...recovery.notices, ...notices] } };
  } catch (thrown) {
    db?.close();
    if (thrown instanceof GatewayError) throw thrown;
    const text = `the database in ${dir} cannot be opened: ${diskReason(thrown, dir)}`;
    throw new GatewayError(isFull(thrown) ? 'STORE_FULL' : 'STORE_FAILED', text, { cause: thrown });
  }
}

/** First what somebody chose, then whatever is wrong with what lies there now. */
function restoreAndRecover(paths: StorePaths, limits: StoreLimits): Recovery {
  const chosen = restoreChosen(paths, limits);
  const found = recoverDatabase(paths, limits);
  return { ...chosen, ...found, notices: [...chosen.notices, ...found.notices] };
}
