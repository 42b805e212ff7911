import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import { stampOf } from '../../shared/files.js';
import type { Clock } from '../../shared/ports/clock.js';
import { PartUploads } from '../../shared/uploads.js';
import { runWorker } from '../../shared/worker.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import type { StorePaths } from '../paths.js';
import { type BackupFile, listBackups } from './backup-rotation.js';

/**
 * File name of an upload. Uploads have their own names and folder, so that they never count as backups of this
 * gateway.
 */
const NAME = /^uploaded-(\d{6,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;
const UNFINISHED = '.uploading';

/** The hint in the errors for files that are not intact backups. */
export const BACKUP_HINT = { hint: storeMessage('upload-hint') };

/** Length of the header of an SQLite file (https://sqlite.org/fileformat2.html#the_database_header). */
export const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/** Returns why a file that begins with these bytes is not a complete backup; undefined if it may be one. */
export function headerFault(header: Buffer, fileBytes: number): GatewayError | undefined {
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    return new GatewayError('BACKUP_FOREIGN', storeMessage('upload-not-database'), BACKUP_HINT);
  }
  // A database in WAL mode is rejected, because it may lack pages that are only in its log. Backups have no log.
  if (header[18] === 2 || header[19] === 2) {
    return new GatewayError('BACKUP_DAMAGED', storeMessage('upload-has-log'), BACKUP_HINT);
  }
  const pageSize = header.readUInt16BE(16);
  const needed = header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize);
  if (needed <= fileBytes) return undefined;
  const text = storeMessage('upload-truncated', { bytes: fileBytes, needed });
  return new GatewayError('BACKUP_DAMAGED', text, BACKUP_HINT);
}

/** Returns the uploaded backups, newest first. `at` is the time of the upload. */
export function listUploads({ uploads }: StorePaths): BackupFile[] {
  if (!existsSync(uploads)) return [];
  const found = readdirSync(uploads).flatMap((name) => {
    const [, sequence, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
    if (!sequence) return [];
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    const path = join(uploads, name);
    return [{ path, bytes: statSync(path).size, at, sequence: Number(sequence) }];
  });
  return found.toSorted((a, b) => b.sequence - a.sequence);
}

/** Returns the backup or the upload with this file name. */
export function findBackup(paths: StorePaths, name: string): BackupFile | undefined {
  return [...listBackups(paths), ...listUploads(paths)].find(({ path }) => basename(path) === name);
}

/** Deletes the files left by an interrupted upload. */
export function removeUnfinishedUploads({ uploads }: StorePaths): void {
  if (!existsSync(uploads)) return;
  for (const name of readdirSync(uploads)) {
    if (name.endsWith(UNFINISHED)) rmSync(join(uploads, name), { force: true });
  }
}

export interface UploadCheckStart {
  dir: string;
  /** The temporary path of the complete file; `path` is its final path. */
  temp: string;
  path: string;
}

/** Checks the file on a separate thread, because reading it takes seconds on an SD card. */
const runUploadCheck = (start: UploadCheckStart): Promise<string> =>
  runWorker<string>(
    'store/backup/upload-check-worker.js',
    start,
    (cause) => new GatewayError('STORE_FAILED', storeMessage('upload-check-interrupted'), { cause }),
  ).done;

interface UploadsOptions {
  paths: StorePaths;
  clock: Clock;
  limits: Pick<StoreLimits, 'maxUploadBytes' | 'minFreeBytes'>;
}

/**
 * Receives one backup file at a time, and resolves with the path of the checked file. Besides the errors of
 * `PartUploads`, it rejects with `BACKUP_FOREIGN`, `BACKUP_NEWER` or `BACKUP_DAMAGED`.
 */
export function openUploads({ paths, clock, limits }: UploadsOptions): PartUploads<string> {
  let path = '';
  return new PartUploads({
    clock,
    folder: paths.uploads,
    maxBytes: limits.maxUploadBytes,
    // Includes space for the second copy that a restore makes.
    spaceFor: (bytes) => 2 * bytes + limits.minFreeBytes,
    begin() {
      removeUnfinishedUploads(paths);
      const sequence = String((listUploads(paths)[0]?.sequence ?? 0) + 1).padStart(6, '0');
      path = join(paths.uploads, `uploaded-${sequence}-${stampOf(clock.wallTime())}.db`);
      return `${path}${UNFINISHED}`;
    },
    headerBytes: HEADER_BYTES,
    headerFault,
    finish: (temp) => runUploadCheck({ dir: paths.dir, temp, path }),
  });
}

/** Returns the uploads that a new one replaces: all except the one that is chosen for the next start. */
export function replacedUploads(paths: StorePaths, chosen: string | undefined): BackupFile[] {
  return listUploads(paths).filter(({ path }) => basename(path) !== chosen);
}
