import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileErrorCode } from '../shared/files.js';

export interface StorePaths {
  dir: string;
  database: string;
  wal: string;
  shm: string;
  backups: string;
  /** The file that names the backup to be restored on the next start. */
  choice: string;
  /** The revocation journal; see `revocation-file.ts`. */
  revocations: string;
  /** Reserved disk space, which is freed if the disk is full; see `disk-reserve.ts`. */
  reserve: string;
}

export function storePaths(dir: string): StorePaths {
  const database = join(dir, 'cartwright.db');
  return {
    ...{ dir, database, wal: `${database}-wal`, shm: `${database}-shm` },
    ...{ backups: join(dir, 'backups'), choice: join(dir, 'restore.json') },
    ...{ revocations: join(dir, 'revocations.journal'), reserve: join(dir, 'reserve') },
  };
}

export function stampOf(wallMs: number): string {
  return new Date(wallMs).toISOString().replace(/[-:]|\.\d+/g, '');
}

/**
 * Fsyncs a closed file or a directory. Must not be used for a database that is open in this process: closing
 * any handle to the file releases all of the process's POSIX locks on it.
 */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems do not support fsync on directories.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(fileErrorCode(error))) throw error;
  } finally {
    closeSync(handle);
  }
}
