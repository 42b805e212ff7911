import { closeSync, copyFileSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { syncPath } from '../../shared/files.js';
import type { Message, Text } from '../../shared/messages/message.js';
import { momentMessage } from '../../shared/messages/moment.js';
import { type BackupFile, listBackups } from '../backup/backup-rotation.js';
import { inspectBackup, inspectFile } from '../backup/integrity.js';
import { deleteChoice, readChoice } from '../backup/restore-choice.js';
import { findBackup } from '../backup/uploads.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import { type StorePaths, unusedSuffix } from '../paths.js';
import type { CommitMark } from './commit-file.js';
import { type CommitNumber, renewDatabaseId } from './commit-number.js';
import { recordLoss, removeOldSets } from './lost-writes.js';
import { recordRestored } from './restore-report.js';
import { recordRestore } from './revocations.js';

export interface Recovery {
  notices: Text[];
  restoredFrom?: string;
  /** True if the database was missing or damaged. */
  wasReplaced: boolean;
}

/**
 * Replaces a missing or damaged database with the latest usable backup or an empty file. Renames damaged
 * files instead of deleting them. Throws the SQLite error if the database cannot be read.
 */
export function recoverDatabase(
  paths: StorePaths,
  limits: StoreLimits,
  mark: CommitMark | undefined,
): Recovery {
  rmSync(restoreCopyOf(paths), { force: true });
  const { fault, notices: warnings } = inspectDatabase(paths, limits);
  if (!fault) return { notices: warnings, wasReplaced: false };
  const aside = setAside(paths, 'damaged');
  if (aside) removeOldSets(paths, 'damaged', aside);
  const onReplaced = (found: CommitNumber): void => recordLoss(paths, limits, { mark, found, aside });
  const restored = restoreNewest(paths, limits, aside, onReplaced);
  // Mode 0600, because the database contains password hashes; SQLite gives its other files the same mode.
  if (!restored.backup) closeSync(openSync(paths.database, 'wx', 0o600));
  syncPath(paths.dir);
  if (!aside && !restored.backup && restored.notices.length === 0) return { notices: [], wasReplaced: true };
  const notices = [recoveryNotice(fault, aside, restored.backup), ...restored.notices];
  return {
    notices,
    wasReplaced: true,
    ...(restored.backup ? { restoredFrom: restored.backup.path } : {}),
  };
}

/** `fault` is set if the database is unusable. */
function inspectDatabase(paths: StorePaths, limits: StoreLimits): { fault?: Message; notices: Text[] } {
  if (!existsSync(paths.database)) return { fault: storeMessage('was-missing'), notices: [] };
  const { damage, isEmpty, orphans } = inspectFile(paths.database, limits.busyTimeoutMs);
  if (damage) return { fault: storeMessage('was-damaged', { damage }), notices: [] };
  // SQLite accepts a 0-byte file, which a failing file system may leave, as an empty database.
  if (isEmpty && listBackups(paths).length > 0) return { fault: storeMessage('was-empty'), notices: [] };
  if (orphans.length === 0) return { notices: [] };
  return { notices: [storeMessage('orphans', { tables: orphans.join(', ') })] };
}

/**
 * Renames the database first, then its log, so that the next start can complete an interrupted rename;
 * otherwise, SQLite would apply the remaining log to the restored database. Returns the database's new name,
 * or an empty string if there was no file.
 */
function setAside({ dir, database, wal, shm }: StorePaths, why: 'damaged' | 'replaced'): string {
  const existing = [database, wal, shm].filter((path) => existsSync(path));
  if (existing.length === 0) return '';
  const suffix = unusedSuffix(database, why);
  for (const path of existing) renameSync(path, `${database}${suffix}${path.slice(database.length)}`);
  syncPath(dir);
  return basename(`${database}${suffix}`);
}

/**
 * @param aside name of the replaced database.
 * @param onReplaced called with the backup's commit number before the backup becomes the database.
 */
function restoreNewest(
  paths: StorePaths,
  limits: StoreLimits,
  aside: string,
  onReplaced: (found: CommitNumber) => void,
): { backup?: BackupFile; notices: Text[] } {
  const notices: Text[] = [];
  for (const backup of listBackups(paths)) {
    const temp = restoreCopyOf(paths);
    copyFileSync(backup.path, temp);
    const { damage, isEmpty, revocations, commit } = inspectBackup(backup.path, limits.busyTimeoutMs, temp);
    if (!damage && !isEmpty) {
      renewDatabaseId(temp, limits.busyTimeoutMs);
      syncPath(temp);
      const name = basename(backup.path);
      recordRestore(paths, name, revocations);
      onReplaced(commit);
      // The restore is recorded before the rename: while there is no database, the next start restores again.
      recordRestored(paths, { name, at: Date.now(), by: undefined, kept: aside });
      renameSync(temp, paths.database);
      return { backup, notices };
    }
    rmSync(temp);
    notices.push(storeMessage('backup-damaged-too', { name: basename(backup.path) }));
  }
  onReplaced({ databaseId: '', operations: 0 });
  return { notices };
}

function restoreCopyOf({ database }: StorePaths): string {
  return `${database}.restoring`;
}

function recoveryNotice(wrong: Message, aside: string, backup: BackupFile | undefined): Message {
  const now = backup
    ? storeMessage('backup-took-place', {
        when: momentMessage(backup.at, 'second'),
        name: basename(backup.path),
      })
    : storeMessage('started-empty');
  return aside
    ? storeMessage('was-wrong-kept', { wrong, aside, now })
    : storeMessage('was-wrong', { wrong, now });
}

/**
 * Deletes the restore request last, so that the next start repeats an interrupted restore.
 * @param supported the latest schema version that this gateway supports.
 */
export function restoreChosen(
  paths: StorePaths,
  limits: StoreLimits,
  supported: number,
): Omit<Recovery, 'wasReplaced'> {
  const choice = readChoice(paths);
  if (!choice) return { notices: [] };
  const backup = findBackup(paths, choice.name);
  const damage = backup ? prepareRestore(backup.path, paths, limits, supported) : storeMessage('backup-gone');
  if (!backup || damage) {
    deleteChoice(paths);
    return { notices: [storeMessage('not-restored', { name: choice.name, reason: damage })] };
  }
  const aside = setAside(paths, 'replaced');
  renameSync(restoreCopyOf(paths), paths.database);
  syncPath(paths.dir);
  // The restore is recorded before the request is deleted: while the request exists, the next start restores again.
  recordRestored(paths, { name: choice.name, at: Date.now(), by: choice.by, kept: aside });
  deleteChoice(paths);
  return { notices: [], restoredFrom: backup.path };
}

/** Copies and verifies the backup. Returns why the backup is unusable; empty if it is usable. */
function prepareRestore(path: string, paths: StorePaths, limits: StoreLimits, supported: number): Text {
  const temp = restoreCopyOf(paths);
  copyFileSync(path, temp);
  const { damage, isEmpty, schemaVersion, revocations } = inspectBackup(path, limits.busyTimeoutMs, temp);
  const isNewer = schemaVersion > supported;
  if (!damage && !isEmpty && !isNewer) {
    renewDatabaseId(temp, limits.busyTimeoutMs);
    syncPath(temp);
    recordRestore(paths, basename(path), revocations);
    return '';
  }
  rmSync(temp);
  if (isNewer && !damage) return storeMessage('upload-newer', { version: schemaVersion, supported });
  return damage || storeMessage('backup-empty');
}
