import { readFile, rm } from 'node:fs/promises';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/ports.js';
import type { PictureSource } from '../capture/model.js';
import { cameraMessage } from '../messages.js';
import type { Broadcaster } from '../streaming/broadcaster.js';
import type { Gallery, Photo } from './gallery.js';

/** Somebody waits for the page: after this long the routine answers, and the photo comes when it comes. */
const PATIENCE_MS = 12_000;
const MIN_GAP_MS = 1000;
const SNAPSHOT_MS = 2000;

interface PhotographerDeps {
  source: PictureSource;
  gallery: Gallery;
  broadcaster: Pick<Broadcaster, 'next'>;
  clock: Clock;
}

/** Takes photos: one at a time, and whoever asks while one is taken shares it. */
export class PhotoService {
  readonly #deps: PhotographerDeps;
  #running: Promise<Photo> | undefined;
  #last: { photo: Photo; atMs: number } | undefined;
  #still: Promise<Buffer> | undefined;

  constructor(deps: PhotographerDeps) {
    this.#deps = deps;
  }

  /**
   * The camera routine: one photo with the saved settings, into the gallery. Within a second of the last one it is that
   * one. Rejects with `CAMERA_…`, `DISK_FULL`, `PHOTO_NOT_KEPT`, and with `CAMERA_SLOW` after 12 s.
   */
  take(): Promise<Photo> {
    const { clock } = this.#deps;
    if (this.#last && clock.now() - this.#last.atMs < MIN_GAP_MS) return Promise.resolve(this.#last.photo);
    this.#running ??= this.#capture().finally(() => (this.#running = undefined));
    return this.#patiently(this.#running);
  }

  /** A picture of this moment as JPEG: the next live one, or a still while the camera rests or when `full` is asked for. */
  async snapshot({ full = false } = {}): Promise<Buffer> {
    const { source, broadcaster, clock } = this.#deps;
    if (!full && source.view().phase === 'streaming') {
      const cut = new AbortController();
      const cancel = clock.after(SNAPSHOT_MS, () => cut.abort());
      const frame = await broadcaster.next(source.view().newest, cut.signal).finally(cancel);
      if (frame) return frame.jpeg;
    }
    this.#still ??= this.#readStill().finally(() => (this.#still = undefined));
    return this.#patiently(this.#still);
  }

  async #capture(): Promise<Photo> {
    const { source, gallery, clock } = this.#deps;
    await gallery.checkRoom();
    const photo = await gallery.add(await source.still());
    this.#last = { photo, atMs: clock.now() };
    return photo;
  }

  async #readStill(): Promise<Buffer> {
    const { path } = await this.#deps.source.still();
    return readFile(path).finally(() => rm(path, { force: true }));
  }

  #patiently<T>(job: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#deps.clock.after(PATIENCE_MS, () =>
        reject(
          new GatewayError('CAMERA_SLOW', cameraMessage('photo-slow'), {
            hint: cameraMessage('photo-slow-hint'),
          }),
        ),
      );
      job.then(resolve, reject).finally(cancel);
    });
  }
}
