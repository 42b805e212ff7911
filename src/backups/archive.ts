import { mkdir, rm } from 'node:fs/promises';
import { GatewayError } from '../shared/errors.js';
import { diskError, fileErrorReason } from '../shared/files.js';
import type { DatabaseSnapshot } from '../shared/ports/backups.js';
import { runWorker } from '../shared/worker.js';
import type { Group } from './contents.js';
import type { Manifest } from './entries.js';
import { backupMessage } from './messages.js';
import { type About, deriveSecret, readHeader, type Secret } from './sealed-file.js';

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
  /** Free space in bytes that must remain after the backup. */
  minFreeBytes: number;
}

export interface InspectJob {
  path: string;
  passphrase: string;
  /** A backup whose database has a higher schema version is rejected with `BACKUP_NEWER`. */
  schemaVersion?: number | undefined;
}

export interface ExtractJob extends InspectJob {
  /** The folder for the files, which must not exist. */
  into: string;
  /** Free space in bytes that must remain after the files have been written. */
  minFreeBytes?: number;
}

/** A job for the backup thread. */
export type BackupJob =
  | ({ kind: 'make' } & Sealed<ArchiveJob>)
  | ({ kind: 'inspect' } & Sealed<InspectJob>)
  | ({ kind: 'extract' } & Sealed<ExtractJob>);

/** A job with the key instead of the passphrase. */
export type Sealed<Job> = Omit<Job, 'passphrase'> & { secret: Secret };

export interface Archive {
  bytes: number;
  /** SHA-256 of the file. */
  sha256: string;
  manifest: Manifest;
}

/** Encryption needs little JavaScript memory, and a smaller young generation frees the segments' memory earlier. */
const LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 };

/**
 * Writes a backup durably. Rejects with `BACKUP_PASSPHRASE` (no passphrase), `STORE_FULL` or `STORE_FAILED`; the
 * caller then deletes the file.
 */
export async function makeArchive(
  { passphrase, ...job }: ArchiveJob,
  signal?: AbortSignal,
): Promise<Archive> {
  return await makeSealedArchive({ ...job, secret: await deriveSecret(passphrase) }, signal);
}

/** Like `makeArchive`, with a key instead of the passphrase. */
export async function makeSealedArchive(job: Sealed<ArchiveJob>, signal?: AbortSignal): Promise<Archive> {
  return await run<Archive>({ kind: 'make', ...job }, signal);
}

/**
 * Decrypts the whole backup and checks it. Changes nothing. Rejects with `BACKUP_PASSPHRASE`, `BACKUP_DAMAGED`,
 * `BACKUP_NEWER` or `STORE_FAILED`.
 */
export async function inspectBackup(
  { passphrase, ...job }: InspectJob,
  signal?: AbortSignal,
): Promise<Manifest> {
  return await run<Manifest>(
    { kind: 'inspect', ...job, secret: await secretOf(job.path, passphrase) },
    signal,
  );
}

/**
 * Writes the backup's files durably below `into`. Rejects with `BACKUP_PASSPHRASE`, `BACKUP_DAMAGED`, `BACKUP_NEWER`,
 * `STORE_FULL` or `STORE_FAILED`, and then deletes `into`, unless it existed before.
 */
export async function extractBackup({
  signal,
  passphrase,
  ...job
}: ExtractJob & { signal?: AbortSignal }): Promise<Manifest> {
  const secret = await secretOf(job.path, passphrase);
  try {
    await mkdir(job.into, { mode: 0o700 });
  } catch (error) {
    throw fileError('not-extracted', error);
  }
  try {
    return await run<Manifest>({ kind: 'extract', ...job, secret }, signal);
  } catch (error) {
    await rm(job.into, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Derives the key of a backup. Rejects with `BACKUP_PASSPHRASE`, `BACKUP_DAMAGED`, `BACKUP_NEWER` or
 * `STORE_FAILED`.
 */
async function secretOf(path: string, passphrase: string): Promise<Secret> {
  try {
    const { salt } = await readHeader(path);
    return await deriveSecret(passphrase, salt);
  } catch (error) {
    throw error instanceof GatewayError ? error : fileError('not-read', error);
  }
}

/** Converts a file error to `STORE_FULL` or `STORE_FAILED`. */
export function fileError(
  failure: 'not-made' | 'not-read' | 'not-extracted' | 'not-deleted',
  cause: unknown,
): GatewayError {
  return diskError(backupMessage(failure, { reason: fileErrorReason(cause) }), cause);
}

function run<Report>(job: BackupJob, signal: AbortSignal | undefined): Promise<Report> {
  const interrupted = (cause?: Error): GatewayError =>
    new GatewayError('CANCELLED', backupMessage('interrupted'), { cause });
  const options = { resourceLimits: LIMITS, signal };
  return runWorker<Report>('backups/archive-worker.js', job, interrupted, options).done;
}
