import { mkdirSync } from 'node:fs';
import { GatewayError } from '../../shared/errors.js';
import type { ReplayRevocations } from '../../shared/ports/ports.js';
import { makeBackup } from '../backup/backups.js';
import { type Database, makeDurable, openPlain } from '../connection.js';
import { diskReason, isFull } from '../disk-errors.js';
import type { StoreLimits } from '../limits.js';
import { MIGRATIONS } from '../migrations/index.js';
import type { Migration } from '../migrations/migration.js';
import { type StorePaths, storePaths } from '../paths.js';
import type { StartReport } from '../writer/protocol.js';
import { layByReserve, useReserve } from './disk-reserve.js';
import { migrate, refuseNewer, schemaVersion } from './migrate.js';
import { type Recovery, recoverDatabase } from './recover.js';
import { restoreChosen } from './restore.js';
import { RevocationJournal } from './revocations.js';

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
