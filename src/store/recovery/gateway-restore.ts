import { copyFileSync, existsSync } from 'node:fs';
import { basename } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import { syncPath } from '../../shared/files.js';
import type { RestorableDatabase } from '../../shared/ports/gateway-restore.js';
import type { Revocation } from '../../shared/ports/revocations.js';
import { inspectFile } from '../backup/integrity.js';
import { openForReading } from '../connection.js';
import { isDamage } from '../disk-errors.js';
import { STORE_LIMITS } from '../limits.js';
import { storeMessage } from '../messages.js';
import { MIGRATIONS } from '../migrations/index.js';
import { type StorePaths, storePaths } from '../paths.js';
import { peekCommitNumber, renewDatabaseId } from './commit-number.js';
import { releaseReserveIfFull } from './disk-reserve.js';
import { recordRestored } from './restore-report.js';
import { appendRevocations, readRevocations } from './revocation-file.js';
import { recordRestore, restoreEntry, revocationRows } from './revocations.js';

/** Adds the revocations that only the database contains, as at every start without a restore. */
function completeJournal({ database, revocations }: StorePaths): void {
  const file = readRevocations(revocations);
  const missing = rowsOf(database).filter(
    ({ subject, what, sequence }) =>
      !file.entries.some(
        (entry) => entry.subject === subject && entry.what === what && entry.sequence >= sequence,
      ),
  );
  if (missing.length > 0 || !file.exists) appendRevocations(revocations, file, missing);
}

/** Returns no rows if the database is missing or damaged, because a restore can replace such a database. */
function rowsOf(database: string): Revocation[] {
  if (!existsSync(database)) return [];
  try {
    const db = openForReading(database);
    try {
      return revocationRows(db);
    } finally {
      db.close();
    }
  } catch (thrown) {
    if (isDamage(thrown)) return [];
    throw thrown;
  }
}

/** The database of a data directory that is restored from the backup of a whole gateway. */
export const restorableDatabase: RestorableDatabase = {
  revocations: basename(storePaths('.').revocations),

  database: basename(storePaths('.').database),

  operationsIn(path) {
    try {
      return peekCommitNumber(path)?.operations;
    } catch {
      return undefined;
    }
  },

  freeReserve: (dir) => releaseReserveIfFull(storePaths(dir)),

  prepare({ dir, staged, prepared, name, by, at }) {
    const [present, backup, next] = [storePaths(dir), storePaths(staged), storePaths(prepared)];
    const { busyTimeoutMs } = STORE_LIMITS;
    if (!existsSync(backup.database))
      throw new GatewayError('BACKUP_DAMAGED', storeMessage('restore-no-database', { name }));
    // DELETE mode leaves no write-ahead log beside the file.
    const found = inspectFile(backup.database, busyTimeoutMs, 'journal_mode = DELETE');
    const damage = found.damage || (found.isEmpty ? storeMessage('backup-empty') : '');
    if (damage) throw new GatewayError('BACKUP_DAMAGED', storeMessage('upload-damaged', { damage }));
    const { schemaVersion: version, revocations } = found;
    const supported = MIGRATIONS.length;
    if (version > supported)
      throw new GatewayError('BACKUP_NEWER', storeMessage('upload-newer', { version, supported }));
    renewDatabaseId(backup.database, busyTimeoutMs);
    syncPath(backup.database);

    // The journal is completed, because a return to the previous state adds the restored gateway's revocations to it.
    completeJournal(present);
    for (const [from, to] of [
      [present.revocations, next.revocations],
      // The ID in this file differs from that of the restored database, so the two are not compared.
      [present.commitNumber, next.commitNumber],
    ] as const) {
      if (!existsSync(from)) continue;
      copyFileSync(from, to);
      syncPath(to);
    }
    // The journal of the backup can be newer than its database.
    const journal = readRevocations(backup.revocations).entries;
    const position = revocations.reduce((highest, { sequence }) => Math.max(highest, sequence), 0);
    const later = journal.filter(({ sequence }) => sequence > position);
    recordRestore(next, name, [...revocations, ...later]);
    recordRestored(next, { name, at, by, kept: '' });
    const { database, wal, shm, commitNumber, revocations: journalPath, choice, restored } = present;
    return {
      paths: [database, wal, shm, commitNumber, journalPath, choice, restored].map((path) => basename(path)),
      lastRevocation: readRevocations(next.revocations).last,
    };
  },

  keepRevocations({ from, into, after, returnedFrom }) {
    if (!existsSync(from) || !existsSync(into)) return;
    const file = readRevocations(into);
    const isNew = (sequence: number): boolean => sequence > Math.max(after, file.last);
    const entries = readRevocations(from).entries.filter(({ sequence }) => isNew(sequence));
    const isEnded = [...file.entries, ...entries].some(
      ({ what, sequence }) => what === 'restored' && sequence > after,
    );
    if (returnedFrom !== undefined && !isEnded) {
      const last = Math.max(after, file.last, entries.at(-1)?.sequence ?? 0);
      entries.push(restoreEntry(returnedFrom, last + 1));
    }
    if (entries.length > 0) appendRevocations(into, file, entries);
  },

  recordReturn: ({ dir, by, from, kept }) =>
    recordRestored(storePaths(dir), { name: from, at: Date.now(), by, kept }),
};
