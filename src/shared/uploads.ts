import { readSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { GatewayError } from './errors.js';
import { diskError, fileErrorReason, freeBytesIn, isDiskFull } from './files.js';
import { uploadMessage } from './messages/messages.js';
import type { UploadPart, UploadProgress } from './ports/backups.js';
import type { Cancel, Clock } from './ports/clock.js';

/** An upload is deleted if no data arrives for this long. */
const IDLE_MS = 600_000;

interface Unfinished {
  name: string;
  temp: string;
  file: FileHandle;
  bytes: number;
  received: number;
  endIdle: Cancel;
}

interface PartUploadsOptions<Stored> {
  clock: Clock;
  /** The folder of the temporary file; it is created with mode 0700 when the first upload begins. */
  folder: string;
  maxBytes: number;
  /** Returns the free space in bytes that an upload of this size requires. */
  spaceFor(bytes: number): number;
  /** Deletes leftovers of earlier uploads, and returns the path of the temporary file. */
  begin(name: string): string;
  /** Length of the part of the file that `headerFault` checks as soon as it has been received. */
  headerBytes: number;
  headerFault(header: Buffer, fileBytes: number): GatewayError | undefined;
  /**
   * Checks the complete, durable file and renames it to its final name. The temporary file is then deleted if it
   * still exists.
   */
  finish(temp: string, name: string): Promise<Stored>;
}

/**
 * Receives one file at a time, in parts, directly into a file with a temporary name. The file is renamed to its final
 * name only after it is complete, durable and checked, so that a power cut cannot leave an incomplete file under that
 * name.
 */
export class PartUploads<Stored> {
  readonly #o: PartUploadsOptions<Stored>;
  #unfinished: Unfinished | undefined;
  #isBusy = false;

  constructor(options: PartUploadsOptions<Stored>) {
    this.#o = options;
  }

  /**
   * Stores a part and returns the progress or, after the last part, the result of `finish`. The first part discards an
   * unfinished upload. Rejects with `BUSY`, `TOO_LARGE`, `STORE_FULL`, `CONFLICT` (not the next part of this file),
   * `INVALID_INPUT` (the part's length is wrong), or the error of a check.
   * @param name identifies the file; empty if there is only one.
   */
  async receive(
    part: UploadPart,
    chunks: AsyncIterable<Uint8Array>,
    name = '',
  ): Promise<UploadProgress | { stored: Stored }> {
    if (this.#isBusy) throw new GatewayError('BUSY', uploadMessage('busy'), { retryAfterS: 2 });
    this.#isBusy = true;
    try {
      if (part.first === 0) await this.#begin(part.total, name);
      const upload = this.#requireNext(part, name);
      await this.#write(upload, part, chunks);
      if (upload.received < upload.bytes) return { received: upload.received, bytes: upload.bytes };
      return { stored: await this.#finish(upload) };
    } finally {
      this.#isBusy = false;
    }
  }

  /** Deletes an unfinished upload. A part that is being received fails. */
  close(): Promise<void> {
    return this.#discard();
  }

  async #begin(bytes: number, name: string): Promise<void> {
    const { folder, maxBytes } = this.#o;
    await this.#discard();
    if (bytes > maxBytes) {
      throw new GatewayError('TOO_LARGE', uploadMessage('too-large'), { limit: maxBytes, unit: 'bytes' });
    }
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const temp = this.#o.begin(name);
      requireSpace(folder, this.#o.spaceFor(bytes));
      const file = await open(temp, 'wx+', 0o600);
      this.#unfinished = { name, temp, file, bytes, received: 0, endIdle: this.#expireLater() };
    } catch (error) {
      throw uploadError(error);
    }
  }

  #expireLater(): Cancel {
    return this.#o.clock.after(IDLE_MS, () => {
      if (!this.#isBusy) void this.#discard();
    });
  }

  #requireNext({ first, total }: UploadPart, name: string): Unfinished {
    const upload = this.#unfinished?.name === name ? this.#unfinished : undefined;
    const { bytes, received } = upload ?? { bytes: total, received: 0 };
    if (upload && bytes === total && received === first) return upload;
    const hint = uploadMessage('order-hint', { first: bytes === total ? received : 0 });
    throw new GatewayError('CONFLICT', uploadMessage('order'), { field: 'Content-Range', hint });
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
      if (isDiskFull(error)) await this.#discard();
      throw uploadError(error);
    } finally {
      upload.endIdle = this.#expireLater();
    }
    if (at !== last + 1) {
      throw new GatewayError('INVALID_INPUT', uploadMessage('length'), { field: 'Content-Range' });
    }
    upload.received = at;
    const known = Math.min(this.#o.headerBytes, upload.bytes);
    if (first >= known || at < known) return;
    const header = Buffer.alloc(known);
    readSync(upload.file.fd, header, 0, known, 0);
    const fault = this.#o.headerFault(header, upload.bytes);
    if (!fault) return;
    await this.#discard();
    throw fault;
  }

  async #finish({ name, temp, file, endIdle }: Unfinished): Promise<Stored> {
    endIdle();
    try {
      await file.sync();
      await file.close();
      return await this.#o.finish(temp, name);
    } catch (error) {
      throw uploadError(error);
    } finally {
      await this.#discard();
    }
  }

  /** Deletes an unfinished upload. Ignores errors, because the next upload deletes the remaining file. */
  async #discard(): Promise<void> {
    const upload = this.#unfinished;
    this.#unfinished = undefined;
    if (!upload) return;
    upload.endIdle();
    await upload.file.close().catch(() => {});
    await rm(upload.temp, { force: true }).catch(() => {});
  }
}

function requireSpace(folder: string, needed: number): void {
  if (freeBytesIn(folder) >= needed) return;
  const details = { limit: needed, unit: 'bytes free', hint: uploadMessage('space-hint') };
  throw new GatewayError('STORE_FULL', uploadMessage('no-space'), details);
}

function uploadError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return diskError(uploadMessage('failed', { reason: fileErrorReason(thrown) }), thrown);
}
