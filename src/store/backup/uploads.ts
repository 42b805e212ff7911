import { existsSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import { fileErrorReason } from '../../shared/files.js';
import type { UploadPart, UploadProgress } from '../../shared/ports/backups.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { runWorker } from '../../shared/worker.js';
import { isFull } from '../disk-errors.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import { type StorePaths, stampOf } from '../paths.js';
import { freeBytesOf } from '../writer/write-metrics.js';
import { type BackupFile, listBackups } from './backup-rotation.js';

/**
 * File name of an upload. Uploads have their own names and folder, so that they never count as backups of this
 * gateway.
 */
const NAME = /^uploaded-(\d{6,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;
const UNFINISHED = '.uploading';
/** An upload that receives nothing for this time is deleted. */
const IDLE_MS = 600_000;

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
  // A copy of a database in WAL mode may lack the pages that are only in its log. Backups have no log.
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

interface Unfinished {
  temp: string;
  path: string;
  file: FileHandle;
  bytes: number;
  received: number;
  endIdle: Cancel;
}

interface UploadsOptions {
  paths: StorePaths;
  clock: Clock;
  limits: Pick<StoreLimits, 'maxUploadBytes' | 'minFreeBytes'>;
}

/**
 * Receives one backup file at a time, in parts, directly into a file with a temporary name. The file gets its
 * name only after it is complete, durable and checked, so that a power cut leaves nothing that could be
 * restored.
 */
export class BackupUploads {
  readonly #o: UploadsOptions;
  #unfinished: Unfinished | undefined;
  #isBusy = false;

  constructor(options: UploadsOptions) {
    this.#o = options;
  }

  /**
   * Stores a part and returns the progress or, after the last part, the path of the checked file. The first part
   * discards an unfinished upload. Rejects with `BUSY`, `TOO_LARGE`, `STORE_FULL`, `CONFLICT` (not the next
   * part), `INVALID_INPUT` (part has another length), `BACKUP_FOREIGN`, `BACKUP_NEWER` or `BACKUP_DAMAGED`.
   */
  async receive(part: UploadPart, chunks: AsyncIterable<Uint8Array>): Promise<UploadProgress | string> {
    if (this.#isBusy) throw new GatewayError('BUSY', storeMessage('upload-busy'), { retryAfterS: 2 });
    this.#isBusy = true;
    try {
      if (part.first === 0) await this.#begin(part.total);
      const upload = this.#requireNext(part);
      await this.#write(upload, part, chunks);
      if (upload.received < upload.bytes) return { received: upload.received, bytes: upload.bytes };
      return await this.#finish(upload);
    } finally {
      this.#isBusy = false;
    }
  }

  async #begin(bytes: number): Promise<void> {
    const { paths, clock, limits } = this.#o;
    await this.#discard();
    if (bytes > limits.maxUploadBytes) {
      const details = { limit: limits.maxUploadBytes, unit: 'bytes' };
      throw new GatewayError('TOO_LARGE', storeMessage('upload-too-large'), details);
    }
    // The restore makes a second copy.
    const needed = 2 * bytes + limits.minFreeBytes;
    const free = freeBytesOf(paths.dir);
    if (free >= 0 && free < needed) {
      const details = { limit: needed, unit: 'bytes free', hint: storeMessage('space-hint') };
      throw new GatewayError('STORE_FULL', storeMessage('upload-no-space'), details);
    }
    const sequence = String((listUploads(paths)[0]?.sequence ?? 0) + 1).padStart(6, '0');
    const path = join(paths.uploads, `uploaded-${sequence}-${stampOf(clock.wallTime())}.db`);
    const temp = `${path}${UNFINISHED}`;
    try {
      await mkdir(paths.uploads, { recursive: true, mode: 0o700 });
      removeUnfinishedUploads(paths);
      const file = await open(temp, 'wx+', 0o600);
      this.#unfinished = { temp, path, file, bytes, received: 0, endIdle: this.#expireLater() };
    } catch (error) {
      throw uploadError(error);
    }
  }

  #expireLater(): Cancel {
    return this.#o.clock.after(IDLE_MS, () => {
      if (!this.#isBusy) void this.#discard();
    });
  }

  #requireNext({ first, total }: UploadPart): Unfinished {
    const { bytes, received } = this.#unfinished ?? { bytes: total, received: 0 };
    if (this.#unfinished && bytes === total && received === first) return this.#unfinished;
    const hint = storeMessage('upload-order-hint', { first: bytes === total ? received : 0 });
    throw new GatewayError('CONFLICT', storeMessage('upload-order'), { field: 'Content-Range', hint });
  }

  /** Counts the part only when it is complete, so that a part that was interrupted can be sent again. */
  async #write(upload: Unfinished, part: UploadPart, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    upload.endIdle();
    const { first, last } = part;
    let at = first;
    try {
      for await (const chunk of chunks) {
        if (at + chunk.length > last + 1) break;
        for (let from = 0; from < chunk.length; ) {
          const { bytesWritten } = await upload.file.write(chunk, from, chunk.length - from, at + from);
          from += bytesWritten;
        }
        at += chunk.length;
      }
    } catch (error) {
      if (isFull(error)) await this.#discard();
      throw uploadError(error);
    } finally {
      upload.endIdle = this.#expireLater();
    }
    if (at !== last + 1) {
      throw new GatewayError('INVALID_INPUT', storeMessage('upload-length'), { field: 'Content-Range' });
    }
    upload.received = at;
    const known = Math.min(HEADER_BYTES, upload.bytes);
    if (first >= known || at < known) return;
    const header = Buffer.alloc(known);
    readSync(upload.file.fd, header, 0, known, 0);
    const fault = headerFault(header, upload.bytes);
    if (!fault) return;
    await this.#discard();
    throw fault;
  }

  async #finish({ temp, path, file, endIdle }: Unfinished): Promise<string> {
    endIdle();
    try {
      await file.sync();
      await file.close();
      return await runUploadCheck({ dir: this.#o.paths.dir, temp, path });
    } catch (error) {
      throw uploadError(error);
    } finally {
      await this.#discard();
    }
  }

  /** Ignores errors: the next upload and the next start delete the remaining files. */
  async #discard(): Promise<void> {
    const upload = this.#unfinished;
    this.#unfinished = undefined;
    if (!upload) return;
    upload.endIdle();
    await upload.file.close().catch(() => {});
    await rm(upload.temp, { force: true }).catch(() => {});
  }
}

function uploadError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const text = storeMessage('upload-failed', { reason: fileErrorReason(thrown) });
  return new GatewayError(isFull(thrown) ? 'STORE_FULL' : 'STORE_FAILED', text, { cause: thrown });
}

/** Returns the uploads that a new one replaces: all except the one that is chosen for the next start. */
export function replacedUploads(paths: StorePaths, chosen: string | undefined): BackupFile[] {
  return listUploads(paths).filter(({ path }) => basename(path) !== chosen);
}
