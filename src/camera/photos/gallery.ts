import { constants } from 'node:fs';
import { access, copyFile, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import {
  fileErrorCode,
  fileErrorReason,
  openFolder,
  removeLeftovers,
  syncDirectory,
} from '../../shared/files.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';
import type { Still } from '../capture/model.js';
import { cameraMessage } from '../messages.js';
import { EXIF_BYTES, exifThumbnail } from './thumbnail.js';

export interface Photo {
  /** File name and last URL segment, with the time in UTC: `20260504-140211-038.jpg`. */
  name: string;
  bytes: number;
  /** ISO 8601, UTC. */
  takenAt: string;
}

export interface GalleryOptions {
  dir: string;
  clock: Clock;
  log: Log;
  /** Above these limits, the oldest photos are deleted. */
  quota?: { photos: number; bytes: number };
  reserveBytes?: number;
}

const MIB = 1024 * 1024;
const QUOTA = { photos: 500, bytes: 500 * MIB };
const RESERVE_BYTES = 64 * MIB;
const NAME = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-(\d{3})\.jpg$/;
const PART = '.part';

/** The photos in one directory, which is read for every request. */
export class Gallery {
  readonly #options: Required<GalleryOptions>;
  readonly #queue = new SerialQueue();

  private constructor(options: GalleryOptions) {
    this.#options = { quota: QUOTA, reserveBytes: RESERVE_BYTES, ...options };
  }

  /** Removes incomplete copies left by a power cut. */
  static async open(options: GalleryOptions): Promise<Gallery> {
    const { dir } = options;
    const partial = (await openFolder(dir)).filter((name) => name.endsWith(PART));
    await removeLeftovers(dir, partial);
    return new Gallery(options);
  }

  async list(): Promise<Photo[]> {
    const names = (await openFolder(this.#options.dir)).filter((name) => NAME.test(name));
    const photos = await Promise.all(names.map((name) => this.#find(name)));
    return photos.filter((photo) => photo !== undefined).sort((a, b) => (a.name < b.name ? 1 : -1));
  }

  /** Rejects with `DISK_FULL`, or with `PHOTO_NOT_KEPT` if the directory is not writable. */
  async checkSpace(): Promise<void> {
    const { dir, reserveBytes } = this.#options;
    await access(dir, constants.W_OK).catch((cause: unknown) => {
      throw new GatewayError(
        'PHOTO_NOT_KEPT',
        cameraMessage('no-photo-kept', { reason: fileErrorReason(cause) }),
        { cause },
      );
    });
    const { bavail, bsize } = await statfs(dir);
    const free = bavail * bsize;
    if (free >= reserveBytes) return;
    const megabytes = (bytes: number): number => Math.floor(bytes / MIB);
    const message = cameraMessage('no-room', { limit: megabytes(reserveBytes), free: megabytes(free) });
    throw new GatewayError('DISK_FULL', message, {
      limit: megabytes(reserveBytes),
      unit: 'MB',
      hint: cameraMessage('no-room-hint'),
    });
  }

  /** Moves a still into the gallery; always removes the original file. Rejects with `PHOTO_NOT_KEPT`. */
  add(still: Still): Promise<Photo> {
    return this.#queue.take(async () => {
      try {
        const name = await this.#uniqueName();
        await moveDurably(still.path, join(this.#options.dir, name));
        await this.#trim();
        return { name, bytes: still.bytes, takenAt: takenAt(name) };
      } catch (error) {
        const message = cameraMessage('photo-not-kept', { reason: fileErrorReason(error) });
        throw new GatewayError('PHOTO_NOT_KEPT', message, { cause: error });
      } finally {
        await rm(still.path, { force: true });
      }
    });
  }

  async has(name: string): Promise<boolean> {
    return (await this.#find(name)) !== undefined;
  }

  /** Rejects with `NOT_FOUND` if the photo does not exist. */
  async pathOf(name: string): Promise<string> {
    return join(this.#options.dir, (await this.#require(name)).name);
  }

  /** Returns the EXIF thumbnail; undefined if there is none. Rejects with `NOT_FOUND`. */
  async thumbnail(name: string): Promise<Buffer | undefined> {
    const file = await open(await this.pathOf(name));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(EXIF_BYTES), 0, EXIF_BYTES, 0);
      return exifThumbnail(buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  }

  /** Rejects with `NOT_FOUND`. */
  async remove(name: string): Promise<void> {
    await rm(await this.pathOf(name), { force: true });
    this.#options.log.info('camera.photo_deleted', { name });
  }

  async #find(name: string): Promise<Photo | undefined> {
    if (!NAME.test(name)) return undefined;
    try {
      const { size } = await stat(join(this.#options.dir, name));
      return { name, bytes: size, takenAt: takenAt(name) };
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #require(name: string): Promise<Photo> {
    const photo = await this.#find(name);
    if (photo) return photo;
    throw new GatewayError('NOT_FOUND', cameraMessage('unknown-photo'), { field: 'name' });
  }

  /** Returns an unused name based on the current time, even if the clock has been set back. */
  async #uniqueName(): Promise<string> {
    for (let ms = this.#options.clock.wallTime(); ; ms++) {
      const name = nameAt(ms);
      if (!(await this.#find(name))) return name;
    }
  }

  async #trim(): Promise<void> {
    const { quota, dir, log } = this.#options;
    let bytes = 0;
    const excess = (await this.list()).filter((photo, at) => {
      bytes += photo.bytes;
      // The latest photo is always kept.
      return at > 0 && (at >= quota.photos || bytes > quota.bytes);
    });
    for (const { name } of excess) await rm(join(dir, name), { force: true });
    if (excess.length > 0) log.info('camera.photos_trimmed', { photos: excess.length });
  }
}

async function moveDurably(from: string, to: string): Promise<void> {
  try {
    await syncFile(from);
    await rename(from, to);
  } catch (error) {
    // A rename fails if the run directory is on another file system.
    if (fileErrorCode(error) !== 'EXDEV') throw error;
    await copy(from, to);
  }
  await syncDirectory(dirname(to));
}

async function copy(from: string, to: string): Promise<void> {
  const part = `${to}${PART}`;
  try {
    await copyFile(from, part, constants.COPYFILE_EXCL);
    await syncFile(part);
    await rename(part, to);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

function nameAt(wallMs: number): string {
  const [date = '', time = ''] = new Date(wallMs).toISOString().split('T');
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${time.slice(9, 12)}.jpg`;
}

function takenAt(name: string): string {
  const [, year, month, day, hour, minute, second, ms] = NAME.exec(name) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
}
