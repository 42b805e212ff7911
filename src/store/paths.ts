import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileErrorCode, stampOf, syncPath } from '../shared/files.js';
import { parseMessageJson } from '../shared/messages/message.js';
import { isJsonObject } from '../shared/validation/json.js';

export interface StorePaths {
  dir: string;
  database: string;
  wal: string;
  shm: string;
  backups: string;
  /** Uploaded backups, which do not count as backups of this gateway. */
  uploads: string;
  /** File that names the backup to restore on the next start. */
  choice: string;
  revocations: string;
  /** Number of the last acknowledged commit; see `commit-file.ts`. */
  commitNumber: string;
  /** Report of acknowledged writes that the database lost, until a person acknowledges it. */
  lostWrites: string;
  /** Report of a restore, until an administrator confirms the stored payments. */
  restored: string;
  /** File that reserves disk space and is deleted if the disk is full; see `disk-reserve.ts`. */
  reserve: string;
}

export function storePaths(dir: string): StorePaths {
  const database = join(dir, 'cartwright.db');
  return {
    dir,
    database,
    wal: `${database}-wal`,
    shm: `${database}-shm`,
    backups: join(dir, 'backups'),
    choice: join(dir, 'restore.json'),
    uploads: join(dir, 'backups', 'uploads'),
    revocations: join(dir, 'revocations.journal'),
    reserve: join(dir, 'reserve'),
    commitNumber: join(dir, 'commit-number'),
    lostWrites: join(dir, 'lost-writes.json'),
    restored: join(dir, 'restored.json'),
  };
}

/**
 * Returns a suffix for the names of files that are set aside. The time alone may not be unique, because two starts
 * can have the same time if there is no clock battery.
 */
export function unusedSuffix(database: string, why: string): string {
  const stamp = `.${why}-${stampOf(Date.now())}`;
  const isTaken = (suffix: string): boolean =>
    ['', '-wal', '-shm'].some((end) => existsSync(`${database}${suffix}${end}`));
  let suffix = stamp;
  for (let n = 2; isTaken(suffix); n += 1) suffix = `${stamp}-${n}`;
  return suffix;
}

/**
 * Returns a report's members, or undefined if the report does not exist. An unreadable report has no members. Throws
 * file errors.
 */
export function readReport(path: string): Readonly<Record<string, unknown>> | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const report = parseMessageJson(readFileSync(path, 'utf8'));
    return isJsonObject(report) ? report : {};
  } catch (error) {
    if (error instanceof SyntaxError || fileErrorCode(error) === 'EIO') return {};
    throw error;
  }
}

/** Replaces a small file in the data directory durably. Throws file errors. */
export function writeDurably({ dir }: StorePaths, path: string, text: string): void {
  const temp = `${path}.tmp`;
  const handle = openSync(temp, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temp, path);
  syncPath(dir);
}
