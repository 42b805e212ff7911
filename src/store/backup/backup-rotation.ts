import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { freeBytesIn, stampOf, syncPath } from '../../shared/files.js';
import type { BackupReport } from '../../shared/ports/store.js';
import type { Database } from '../connection.js';
import { isFull } from '../disk-errors.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import type { StorePaths } from '../paths.js';
import { CHECKSUM, inspectFile, writeChecksum } from './integrity.js';
import { readChoice } from './restore-choice.js';

export interface BackupFile {
  path: string;
  bytes: number;
  at: number;
  /** Backups are ordered by this number rather than by time, because a Pi's clock may be wrong. */
  sequence: number;
}

const NAME = /^cartwright-(\d{6,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;
const UNFINISHED = '.part';
/** Pages per slice. The thread can be terminated between slices. */
const SLICE_PAGES = 1000;

export function listBackups(paths: StorePaths): BackupFile[] {
  if (!existsSync(paths.backups)) return [];
  const found = readdirSync(paths.backups).flatMap((name) => {
    const [, sequence, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
    if (!sequence) return [];
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    const path = join(paths.backups, name);
    return [{ path, bytes: statSync(path).size, at, sequence: Number(sequence) }];
  });
  return found.toSorted((a, b) => b.sequence - a.sequence);
}

/**
 * Copies a snapshot without blocking writes, verifies it, then removes the oldest backups beyond
 * `keepBackups`. Throws `STORE_FULL` or `STORE_FAILED` without changing existing backups.
 */
export async function makeBackup(
  db: Database,
  paths: StorePaths,
  limits: StoreLimits,
  wallMs: number,
): Promise<BackupReport> {
  const startedMs = performance.now();
  try {
    mkdirSync(paths.backups, { recursive: true, mode: 0o700 });
    removeUnfinished(paths);
    requireSpace(paths, limits, paths.backups);
    const sequence = String((listBackups(paths)[0]?.sequence ?? 0) + 1).padStart(6, '0');
    const path = join(paths.backups, `cartwright-${sequence}-${stampOf(wallMs)}.db`);
    const temp = `${path}${UNFINISHED}`;
    // Creates an empty file with mode 0600, so that other users can never access its content.
    closeSync(openSync(temp, 'wx', 0o600));
    await copySnapshot(db, temp);
    verify(temp, limits);
    syncPath(temp);
    // The checksum is written before the backup is renamed to its final name, so that a power cut cannot leave a backup
    // without a checksum.
    writeChecksum(temp, path);
    renameSync(temp, path);
    syncPath(paths.backups);
    removeOld(paths, limits);
    return { path, bytes: statSync(path).size, ms: Math.round(performance.now() - startedMs) };
  } catch (thrown) {
    throw thrown instanceof GatewayError ? thrown : backupError(thrown);
  }
}

/**
 * Copies a snapshot of the database to a new file and verifies the copy. On failure, deletes the file and throws
 * `STORE_FULL` or `STORE_FAILED`.
 */
export async function copyVerified(
  db: Database,
  paths: StorePaths,
  path: string,
  limits: StoreLimits,
): Promise<void> {
  let isCreated = false;
  try {
    requireSpace(paths, limits, dirname(path));
    closeSync(openSync(path, 'wx', 0o600));
    isCreated = true;
    await copySnapshot(db, path);
    verify(path, limits);
  } catch (thrown) {
    if (isCreated) rmSync(path, { force: true });
    throw thrown instanceof GatewayError ? thrown : backupError(thrown);
  }
}

function backupError(thrown: unknown): GatewayError {
  const text = `the backup failed: ${messageOf(thrown)}`;
  return new GatewayError(isFull(thrown) ? 'STORE_FULL' : 'STORE_FAILED', text, { cause: thrown });
}

/** Copies the database in slices within one read transaction; otherwise, every commit would restart the copy. */
async function copySnapshot(db: Database, path: string): Promise<void> {
  db.exec('BEGIN');
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await db.backup(path, { progress: () => SLICE_PAGES });
  } finally {
    db.exec('COMMIT');
  }
}

function verify(path: string, limits: StoreLimits): void {
  // The copy is a WAL database; DELETE mode converts it to a single file.
  const { damage, isEmpty } = inspectFile(path, limits.busyTimeoutMs, 'journal_mode = DELETE');
  if (damage || isEmpty) throw new Error(`the copy is damaged: ${damage || storeMessage('backup-empty')}`);
}

function requireSpace(paths: StorePaths, limits: StoreLimits, folder: string): void {
  const files = [paths.database, paths.wal].filter((path) => existsSync(path));
  const needed = files.reduce((sum, path) => sum + statSync(path).size, 0) + limits.minFreeBytes;
  if (freeBytesIn(folder) >= needed) return;
  throw new GatewayError('STORE_FULL', 'the backup failed: there is not enough free space for a copy', {
    limit: needed,
    unit: 'bytes free',
  });
}

/** Keeps the backup that was chosen for the next start. */
function removeOld(paths: StorePaths, limits: StoreLimits): void {
  const chosen = readChoice(paths)?.name;
  for (const { path } of listBackups(paths).slice(limits.keepBackups)) {
    if (basename(path) === chosen) continue;
    rmSync(path);
    rmSync(`${path}${CHECKSUM}`, { force: true });
  }
}

function removeUnfinished(paths: StorePaths): void {
  for (const name of readdirSync(paths.backups)) {
    const isOrphan =
      name.endsWith(CHECKSUM) && !existsSync(join(paths.backups, name.slice(0, -CHECKSUM.length)));
    if (isOrphan || name.includes(UNFINISHED)) rmSync(join(paths.backups, name), { force: true });
  }
}
