import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Database } from '../connection.js';
import { diskError, isDiskFault } from '../disk-errors.js';
import type { Migration } from '../migrations/migration.js';
import { writeDatabase } from '../writer/write-database.js';

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
