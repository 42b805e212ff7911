import { copyFileSync, existsSync } from 'node:fs';
import { basename } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import type { RestorableDatabase } from '../../shared/ports/gateway-restore.js';
import { inspectFile } from '../backup/integrity.js';
import { STORE_LIMITS } from '../limits.js';
import { storeMessage } from '../messages.js';
import { MIGRATIONS } from '../migrations/index.js';
import { storePaths, syncPath } from '../paths.js';
import { renewDatabaseId } from './commit-number.js';
import { releaseReserveIfFull } from './disk-reserve.js';
import { recordRestored } from './restore-report.js';
import { appendRevocations, readRevocations } from './revocation-file.js';
import { recordRestore } from './revocations.js';

/** The database of a data directory that is restored from the backup of a whole gateway. */
export const restorableDatabase: RestorableDatabase = {
  revocations: basename(storePaths('.').revocations),

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

    // A return adds the revocations of the restored gateway to this file.
    const file = readRevocations(present.revocations);
    if (!file.exists) appendRevocations(present.revocations, file, []);
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

  keepRevocations({ from, into, after }) {
    if (!existsSync(from) || !existsSync(into)) return;
    const file = readRevocations(into);
    const isNew = (sequence: number): boolean => sequence > Math.max(after, file.last);
    const entries = readRevocations(from).entries.filter(({ sequence }) => isNew(sequence));
    if (entries.length > 0) appendRevocations(into, file, entries);
  },
};
