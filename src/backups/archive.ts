import { rm } from 'node:fs/promises';
import { GatewayError } from '../shared/errors.js';
import type { DatabaseSnapshot } from '../shared/ports/backups.js';
import { runWorker } from '../shared/worker.js';
import type { Group } from './contents.js';
import type { Manifest } from './entries.js';
import { backupMessage } from './messages.js';
import type { About } from './sealed-file.js';

export type { Manifest } from './entries.js';

export interface ArchiveJob {
  /** The data directory. */
  dir: string;
  /** The new file. */
  path: string;
  passphrase: string;
  about: About;
  /** The copy of the database that the backup contains. */
  snapshot: DatabaseSnapshot;
  include: readonly Group[];
  /** Free space in bytes that remains after the backup. */
  minFreeBytes: number;
}

export interface InspectJob {
  path: string;
  passphrase: string;
  /** If the backup's database has a newer schema version than this one, the result is `BACKUP_NEWER`. */
  schemaVersion?: number | undefined;
}

export interface ExtractJob extends InspectJob {
  /** The folder for the files, which must not exist. */
  into: string;
  /** Free space in bytes that remains after the files have been written. */
  minFreeBytes?: number;
}

export type BackupJob =
  | ({ kind: 'make' } & ArchiveJob)
  | ({ kind: 'inspect' } & InspectJob)
  | ({ kind: 'extract' } & ExtractJob)
  | { kind: 'about'; path: string };

export interface Archive {
  bytes: number;
  /** Of the file. */
  sha256: string;
  manifest: Manifest;
}

/** Encryption needs little JavaScript memory: a smaller young generation frees the segments' memory earlier. */
const LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 };

/**
 * Writes a backup durably. Rejects with `BACKUP_PASSPHRASE` (no passphrase), `STORE_FULL` or `STORE_FAILED`; the
 * caller then deletes the file.
 */
export function makeArchive(job: ArchiveJob, signal?: AbortSignal): Promise<Archive> {
  return run<Archive>({ kind: 'make', ...job }, signal);
}

/**
 * Decrypts the whole backup and checks it. Changes nothing. Rejects with `BACKUP_PASSPHRASE`, `BACKUP_DAMAGED`,
 * `BACKUP_NEWER` or `STORE_FAILED`.
 */
export function inspectBackup(job: InspectJob, signal?: AbortSignal): Promise<Manifest> {
  return run<Manifest>({ kind: 'inspect', ...job }, signal);
}

/**
 * Writes the backup's files durably below `into`. Rejects with `BACKUP_PASSPHRASE`, `BACKUP_DAMAGED`, `BACKUP_NEWER`,
 * `STORE_FULL` or `STORE_FAILED`, and then deletes `into`, unless it existed before.
 */
export async function extractBackup({
  signal,
  ...job
}: ExtractJob & { signal?: AbortSignal }): Promise<Manifest> {
  try {
    return await run<Manifest>({ kind: 'extract', ...job }, signal);
  } catch (error) {
    // The thread deletes the folder itself, unless it was ended.
    if (error instanceof GatewayError && error.code === 'CANCELLED') {
      await rm(job.into, { recursive: true, force: true });
    }
    throw error;
  }
}

/** Reads the header. Rejects with `BACKUP_DAMAGED`, `BACKUP_NEWER` or `STORE_FAILED`. */
export function readAbout(path: string): Promise<About> {
  return run<About>({ kind: 'about', path }, undefined);
}

function run<Report>(job: BackupJob, signal: AbortSignal | undefined): Promise<Report> {
  const interrupted = (cause?: Error): GatewayError =>
    new GatewayError('CANCELLED', backupMessage('interrupted'), { cause });
  const options = { resourceLimits: LIMITS, signal };
  return runWorker<Report>('backups/archive-worker.js', job, interrupted, options).done;
}
