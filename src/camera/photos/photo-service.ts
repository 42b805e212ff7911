import { readFile, rm } from 'node:fs/promises';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { ImageSource } from '../capture/model.js';
import { cameraMessage } from '../messages.js';
import type { Broadcaster } from '../streaming/broadcaster.js';
import type { Gallery, Photo } from './gallery.js';

/** After this time in ms, the request fails, but the photo may still be completed. */
const RESPONSE_TIMEOUT_MS = 12_000;
const MIN_GAP_MS = 1000;
/** A snapshot waits for a restart of the camera that is due within this time. */
const RESTART_WAIT_MS = 1000;

interface PhotoServiceDeps {
  source: ImageSource;
  gallery: Gallery;
  broadcaster: Pick<Broadcaster, 'next'>;
  clock: Clock;
}

/** Takes one photo at a time. Concurrent requests receive the same photo. */
export class PhotoService {
  readonly #deps: PhotoServiceDeps;
  #running: Promise<Photo> | undefined;
  #last: { photo: Photo; atMs: number } | undefined;
  #still: Promise<Buffer> | undefined;

  constructor(deps: PhotoServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Takes a photo, or returns one that is less than 1 s old and has not been deleted. Rejects with `CAMERA_…`, `DISK_FULL` or
   * `PHOTO_NOT_KEPT`, or with `CAMERA_SLOW` after 12 s.
   */
  async take(): Promise<Photo> {
    const { clock, gallery } = this.#deps;
    const last = this.#last;
    if (last && clock.now() - last.atMs < MIN_GAP_MS && (await gallery.has(last.photo.name)))
      return last.photo;
    this.#running ??= this.#capture().finally(() => (this.#running = undefined));
    return await this.#withTimeout(this.#running);
  }

  /**
   * Returns the next live image, or a photo if `full` is true. Starts the camera if necessary. Rejects with
   * `CAMERA_DOWN` if the camera has a fault, or with `CAMERA_SLOW` after 12 s.
   */
  snapshot({ full = false } = {}): Promise<Buffer> {
    if (!full) return this.#nextImage();
    this.#still ??= this.#readStill().finally(() => (this.#still = undefined));
    return this.#withTimeout(this.#still);
  }

  async #nextImage(): Promise<Buffer> {
    const { source, broadcaster, clock } = this.#deps;
    const after = source.view().newest;
    const abort = new AbortController();
    const cancel = clock.after(RESPONSE_TIMEOUT_MS, () => abort.abort());
    try {
      while (!abort.signal.aborted) {
        const image = await broadcaster
          .next(after, abort.signal)
          .catch((error: unknown) => this.#untilRestart(error));
        if (image) return image.jpeg;
      }
    } finally {
      cancel();
    }
    throw new GatewayError(
      'CAMERA_SLOW',
      cameraMessage('no-image', { seconds: RESPONSE_TIMEOUT_MS / 1000 }),
      {
        hint: cameraMessage('no-image-hint'),
      },
    );
  }

  /** Throws the error if the camera does not restart soon. */
  async #untilRestart(error: unknown): Promise<undefined> {
    const { source, clock } = this.#deps;
    const { retryAtMs = Number.POSITIVE_INFINITY } = source.view();
    const waitMs = retryAtMs - clock.now();
    if (waitMs > RESTART_WAIT_MS) throw error;
    await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
  }

  async #capture(): Promise<Photo> {
    const { source, gallery, clock } = this.#deps;
    await gallery.checkSpace();
    const photo = await gallery.add(await source.still());
    this.#last = { photo, atMs: clock.now() };
    return photo;
  }

  async #readStill(): Promise<Buffer> {
    const { path } = await this.#deps.source.still();
    return readFile(path).finally(() => rm(path, { force: true }));
  }

  #withTimeout<T>(job: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#deps.clock.after(RESPONSE_TIMEOUT_MS, () =>
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
