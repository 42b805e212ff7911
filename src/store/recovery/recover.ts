import { closeSync, copyFileSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Message, Text } from '../../shared/messages/message.js';
import type { RestoreChoice } from '../../shared/ports/backups.js';
import { type BackupFile, inspectFile, listBackups } from '../backup/backups.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import { type StorePaths, stampOf, syncPath } from '../paths.js';
import { noteRestore } from './revocations.js';

/** What had to be done so that there is a sound file to open. */
export interface Recovery {
  notices: Text[];
  restoredFrom?: string;
}

/**
 * Sees to it that `paths.database` is a sound file: a damaged one is set aside, with its log, and the newest good backup
 * takes its place. Nothing is ever deleted. Throws SQLite's own error when the disk does not let it look.
 */
export function recoverDatabase(paths: StorePaths, limits: StoreLimits): Recovery {
  rmSync(restoring(paths), { force: true });
  const wrong = whatIsWrong(paths, limits);
  if (wrong === 'nothing') return { notices: [] };
  if ('notices' in wrong) return { notices: wrong.notices };
  const aside = setAside(paths, 'damaged');
  const found = restore(paths, limits);
  // 0600 from the first byte: there will be password hashes in it. SQLite gives its own files the same mode.
  if (!found.backup) closeSync(openSync(paths.database, 'wx', 0o600));
  syncPath(paths.dir);
  if (!aside && !found.backup && found.notices.length === 0) return { notices: [] };
  const notices = [sentence(wrong.wrong, aside, found.backup), ...found.notices];
  return { notices, ...(found.backup ? { restoredFrom: found.backup.path } : {}) };
}

type Wrong = 'nothing' | { wrong: Message } | { notices: Text[] };

function whatIsWrong(paths: StorePaths, limits: StoreLimits): Wrong {
  if (!existsSync(paths.database)) return { wrong: storeMessage('was-missing') };
  const { damage, isEmpty, orphans } = inspectFile(paths.database, limits.busyTimeoutMs);
  if (damage) return { wrong: storeMessage('was-damaged', { damage }) };
  // A file system that lost the file's content leaves one of no bytes, which is a valid database.
  if (isEmpty && listBackups(paths).length > 0) return { wrong: storeMessage('was-empty') };
  if (orphans.length === 0) return 'nothing';
  return { notices: [storeMessage('orphans', { tables: orphans.join(', ') })] };
}

/**
 * The database goes first: if this is cut off, the next start finds it missing and takes the log away as well. A log
 * beside a file that it does not belong to would be played into it. Answers the new name, or nothing.
 */
function setAside({ dir, database, wal, shm }: StorePaths, why: 'damaged' | 'replaced'): string {
  const there = [database, wal, shm].filter((path) => existsSync(path));
  if (there.length === 0) return '';
  const suffix = freeSuffix(database, why);
  for (const path of there) renameSync(path, `${database}${suffix}${path.slice(database.length)}`);
  syncPath(dir);
  return basename(`${database}${suffix}`);
}

/** Not in use yet: without a battery clock two starts may carry the same time. */
function freeSuffix(database: string, why: string): string {
  const stamp = `.${why}-${stampOf(Date.now())}`;
  const isTaken = (suffix: string): boolean =>
    ['', '-wal', '-shm'].some((end) => existsSync(`${database}${suffix}${end}`));
  let suffix = stamp;
  for (let n = 2; isTaken(suffix); n += 1) suffix = `${stamp}-${n}`;
  return suffix;
}

function restore(paths: StorePaths, limits: StoreLimits): { backup?: BackupFile; notices: Text[] } {
  const notices: Text[] = [];
  for (const backup of listBackups(paths)) {
    const temp = restoring(paths);
    copyFileSync(backup.path, temp);
    const { damage, isEmpty, revocations } = inspectFile(temp, limits.busyTimeoutMs);
    if (!damage && !isEmpty) {
      syncPath(temp);
      noteRestore(paths, basename(backup.path), revocations);
      renameSync(temp, paths.database);
      return { backup, notices };
    }
    rmSync(temp);
    notices.push(storeMessage('backup-damaged-too', { name: basename(backup.path) }));
  }
  return { notices };
}

/** The copy of a backup on its way to the place of the database. */
function restoring({ database }: StorePaths): string {
  return `${database}.restoring`;
}

function sentence(wrong: Message, aside: string, backup: BackupFile | undefined): Message {
  const now = backup
    ? storeMessage('backup-took-place', {
        when: new Date(backup.at).toISOString(),
        name: basename(backup.path),
      })
    : storeMessage('started-empty');
  return aside
    ? storeMessage('was-wrong-kept', { wrong, aside, now })
    : storeMessage('was-wrong', { wrong, now });
}

/** The backup that somebody chose for the next start; undefined when nobody did. A file that makes no sense is none. */
export function readChoice({ choice }: StorePaths): RestoreChoice | undefined {
  if (!existsSync(choice)) return undefined;
  try {
    const { name, by, at } = JSON.parse(readFileSync(choice, 'utf8')) as Partial<RestoreChoice>;
    return name !== undefined && by !== undefined && at !== undefined ? { name, by, at } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Puts the chosen backup in the place of the database, which is kept beside it under another name. Cut off anywhere, it
 * is done again at the next start: the choice goes last, before anything is written to the new database.
 */
export function restoreChosen(paths: StorePaths, limits: StoreLimits): Recovery {
  const choice = readChoice(paths);
  if (!choice) return { notices: [] };
  const backup = listBackups(paths).find(({ path }) => basename(path) === choice.name);
  const damage = backup ? copyOf(backup.path, paths, limits) : storeMessage('backup-gone');
  if (!backup || damage) {
    forget(paths);
    return { notices: [storeMessage('not-restored', { name: choice.name, reason: damage })] };
  }
  const aside = setAside(paths, 'replaced');
  renameSync(restoring(paths), paths.database);
  syncPath(paths.dir);
  forget(paths);
  const when = new Date(backup.at).toISOString();
  const { name, by } = choice;
  const notice = aside
    ? storeMessage('restored-kept', { when, name, by, aside })
    : storeMessage('restored', { when, name, by });
  return { notices: [notice], restoredFrom: backup.path };
}

/** A sound copy of the backup, ready to take its place; answers what is wrong with it. */
function copyOf(path: string, paths: StorePaths, limits: StoreLimits): Text {
  const temp = restoring(paths);
  copyFileSync(path, temp);
  const { damage, isEmpty, revocations } = inspectFile(temp, limits.busyTimeoutMs);
  if (!damage && !isEmpty) {
    syncPath(temp);
    noteRestore(paths, basename(path), revocations);
    return '';
  }
  rmSync(temp);
  return damage || storeMessage('backup-empty');
}

function forget({ choice, dir }: StorePaths): void {
  rmSync(choice);
  syncPath(dir);
}
