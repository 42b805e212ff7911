import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileErrorCode } from '../shared/files.js';

/** Where the store keeps its files, all under the data directory. */
export interface StorePaths {
  dir: string;
  database: string;
  /** SQLite's own two files beside the database. */
  wal: string;
  shm: string;
  backups: string;
  /** The backup that is to take the place of the database at the next start. */
  choice: string;
  /** What was revoked; see `revocation-file.ts`. */
  revocations: string;
  /** Room on the disk for the day when there is none. */
  reserve: string;
}

/** The files of a store in `dir`. */
export function storePaths(dir: string): StorePaths {
  const database = join(dir, 'cartwright.db');
  return {
    ...{ dir, database, wal: `${database}-wal`, shm: `${database}-shm` },
    ...{ backups: join(dir, 'backups'), choice: join(dir, 'restore.json') },
    ...{ revocations: join(dir, 'revocations.journal'), reserve: join(dir, 'reserve') },
  };
}

/** `20260801T023000Z`, for file names. */
export function stampOf(wallMs: number): string {
  return new Date(wallMs).toISOString().replace(/[-:]|\.\d+/g, '');
}

/**
 * Fsyncs a closed file or a directory. Never for a database that SQLite has open in this process: closing any file
 * handle of it drops all of the process's POSIX locks on it.
 */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems cannot fsync a directory at all.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(fileErrorCode(error))) throw error;
  } finally {
    closeSync(handle);
  }
}
