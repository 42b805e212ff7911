import { rm } from 'node:fs/promises';
import { GatewayError } from '../shared/errors.js';
import { runWorker } from '../shared/worker.js';
import type { Group } from './contents.js';
import type { Manifest } from './entries.js';
import { backupMessage } from './messages.js';
import type { About } from './sealed-file.js';

export type { Manifest } from './entries.js';

/** The copy of the database that a backup contains. */
interface Snapshot {
  path: string;
  schemaVersion: number;
  tables: Readonly<Record<string, number>>;
}

export interface ArchiveJob {
  /** The data directory. */
  dir: string;
  /** The new file. */
  path: string;
  passphrase: string;
  about: About;
  snapshot: Snapshot;
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
  | ({ kind: 'extract' } & ExtractJob);

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

async function run<Report>(job: BackupJob, signal: AbortSignal | undefined): Promise<Report> {
  signal?.throwIfAborted();
  const interrupted = (cause?: Error): GatewayError =>
    new GatewayError('CANCELLED', backupMessage('interrupted'), { cause });
  const { done, cancel } = runWorker<Report>('backups/archive-worker.js', job, interrupted, {
    resourceLimits: LIMITS,
  });
  const stop = (): void => void cancel();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await done;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
