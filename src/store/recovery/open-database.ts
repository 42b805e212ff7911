import { mkdirSync } from 'node:fs';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { ReplayRevocations } from '../../shared/ports/revocations.js';
import { makeBackup } from '../backup/backup-rotation.js';
import { removeUnfinishedUploads } from '../backup/uploads.js';
import { type Database, makeDurable, openPlain, writeDatabase } from '../connection.js';
import { diskError, diskReason, isDiskFault, isFull } from '../disk-errors.js';
import type { StoreLimits } from '../limits.js';
import { MIGRATIONS } from '../migrations/index.js';
import type { Migration } from '../migrations/migration.js';
import { type StorePaths, storePaths } from '../paths.js';
import type { StartReport } from '../writer/protocol.js';
import { type CommitMark, readMark } from './commit-file.js';
import { CommitCounter } from './commit-number.js';
import { createReserve, releaseReserveIfFull } from './disk-reserve.js';
import { readLostWrites, recordLostWrites } from './lost-writes.js';
import { type Recovery, recoverDatabase, restoreChosen } from './recover.js';
import { readRestored, restoredText, restoreReport } from './restore-report.js';
import { RevocationJournal } from './revocations.js';

export function schemaVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Throws `STORE_NEWER` if a newer gateway has migrated the file. */
export function rejectNewer(version: number, supported: number): void {
  if (version <= supported) return;
  throw new GatewayError(
    'STORE_NEWER',
    `the database has schema version ${version}, but this gateway supports versions up to ${supported}`,
    { hint: 'Install the newer gateway version again, or restore a backup from before the upgrade.' },
  );
}

/** Commits each migration with its version number, or rolls it back and throws `STORE_FAILED`. */
export function migrate(db: Database, migrations: readonly Migration[], dir: string): void {
  for (const [index, migration] of migrations.entries()) {
    const version = index + 1;
    if (version <= schemaVersion(db)) continue;
    try {
      db.transaction(() => step(db, migration, version)).immediate();
    } catch (thrown) {
      if (isDiskFault(thrown)) throw diskError(thrown, dir);
      const text = `migration ${version} (${migration.name}) failed and was rolled back: ${messageOf(thrown)}`;
      throw new GatewayError('STORE_FAILED', text, { cause: thrown });
    }
  }
}

function step(db: Database, migration: Migration, version: number): void {
  // Foreign keys are checked at the end of a migration, because migrations may rebuild tables.
  db.pragma('defer_foreign_keys = ON');
  const { prepare } = writeDatabase(db);
  migration.up({ exec: (sql) => void db.exec(sql), prepare });
  const [orphan] = db.pragma('foreign_key_check') as { table: string }[];
  if (orphan) throw new Error(`table "${orphan.table}" would have invalid references`);
  db.pragma(`user_version = ${version}`);
}

interface StartOptions {
  migrations?: readonly Migration[];
  replay?: ReplayRevocations;
}

export interface StartedDatabase {
  db: Database;
  /** Call `journal.publish` after each commit. */
  journal: RevocationJournal;
  /** Call `commits.count` in each transaction and `commits.publish` after the commit. */
  commits: CommitCounter;
  report: StartReport;
}

/**
 * Restores or recovers the database if necessary, migrates it and returns a durable connection. Throws
 * `STORE_NEWER`, `STORE_FULL` or `STORE_FAILED`.
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
    releaseReserveIfFull(paths);
    const recovery = isRestart
      ? { notices: [], wasReplaced: false }
      : restoreAndRecover(paths, limits, readMark(paths.commitNumber), migrations.length);
    db = openPlain(paths.database, limits.busyTimeoutMs);
    const version = schemaVersion(db);
    rejectNewer(version, migrations.length);
    makeDurable(db);
    if (version > 0 && version < migrations.length) await makeBackup(db, paths, limits, Date.now());
    migrate(db, migrations, dir);
    const journal = new RevocationJournal(db, paths);
    const { faults, changes, replayed } = journal.reconcile(replay);
    const commits = new CommitCounter(db, paths, { isRestart });
    createReserve(paths, limits.minFreeBytes);
    const lostWrites = readLostWrites(paths);
    const restored = readRestored(paths);
    // After a restore, replayed revocations are expected. Otherwise, they mean that the database is too old.
    const isGatewayRestored = replayed.some(
      ({ what, source }) => what === 'restored' && source === restored?.name,
    );
    const isRestored = recovery.restoredFrom !== undefined || isGatewayRestored;
    const report: StartReport = {
      schemaVersion: migrations.length,
      ...recovery,
      replayed,
      notices: [...recovery.notices, ...faults, ...(isRestored ? [] : changes), ...commits.notices],
      information: [...(restored ? [restoredText(restored)] : []), ...(isRestored ? changes : [])],
      isLastSecondUnverified: commits.isUnverified,
      ...(lostWrites ? { lostWrites } : {}),
      ...(restored ? { restored: restoreReport(restored) } : {}),
    };
    return { db, journal, commits, report };
  } catch (thrown) {
    db?.close();
    if (thrown instanceof GatewayError) throw thrown;
    const text = `the database in ${dir} cannot be opened: ${diskReason(thrown, dir)}`;
    throw new GatewayError(isFull(thrown) ? 'STORE_FULL' : 'STORE_FAILED', text, { cause: thrown });
  }
}

/** Restores first, so that the restored database is checked too. */
function restoreAndRecover(
  paths: StorePaths,
  limits: StoreLimits,
  mark: CommitMark | undefined,
  supported: number,
): Recovery {
  removeUnfinishedUploads(paths);
  const chosen = restoreChosen(paths, limits, supported);
  recordLostWrites(paths, limits, mark);
  const found = recoverDatabase(paths, limits, mark);
  return { ...chosen, ...found, notices: [...chosen.notices, ...found.notices] };
}
