import { type Layout, type MultipartImage, STREAM_HEAD } from './multipart-frame.js';

/** A viewer's output, such as a socket. */
export interface Sink {
  /** Sends bytes; `flushed` is called when they are no longer buffered. */
  write(bytes: Buffer, flushed: () => void): void;
  destroy(): void;
}

export interface ViewerOptions {
  /** Maximum images per second. Default: no limit. */
  fps?: number;
  layout?: Layout;
}

export interface ViewerState {
  sent: number;
  /** Images replaced by a newer one before they were sent. */
  dropped: number;
}

/** Tolerance for an image that arrives before its time. */
const EARLY_TOLERANCE_MS = 3;

/** One viewer of the stream, with at most one image being sent and the latest one waiting. */
export class Viewer {
  readonly #sink: Sink;
  readonly #layout: Layout;
  readonly #gapMs: number;
  readonly #now: () => number;
  #waiting: MultipartImage | undefined;
  #busySinceMs: number | undefined;
  #dueMs = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #dropped = 0;

  constructor(sink: Sink, { fps, layout = 'plain' }: ViewerOptions, now: () => number) {
    this.#sink = sink;
    this.#layout = layout;
    this.#gapMs = fps === undefined ? 0 : 1000 / fps;
    this.#now = now;
    this.#write(STREAM_HEAD[layout]);
  }

  /** Sends the image, or stores it as the next one. */
  offer(image: MultipartImage): void {
    const now = this.#now();
    if (now < this.#dueMs - EARLY_TOLERANCE_MS) return;
    // Uses a fixed grid, so that jitter does not lower a rate such as 10 out of 30 images per second.
    this.#dueMs = (now - this.#dueMs < this.#gapMs ? this.#dueMs : now) + this.#gapMs;
    if (this.#busySinceMs === undefined) this.#send(image);
    else {
      if (this.#waiting) this.#dropped += 1;
      this.#waiting = image;
    }
  }

  /** Time since the start of an unfinished write, ms. */
  stalledMs(): number {
    return this.#busySinceMs === undefined ? 0 : this.#now() - this.#busySinceMs;
  }

  state(): ViewerState {
    return { sent: this.#sent, dropped: this.#dropped };
  }

  destroy(): void {
    this.#waiting = undefined;
    this.#sink.destroy();
  }

  #send(image: MultipartImage): void {
    this.#sent += 1;
    this.#write(image.bytes(this.#layout));
  }

  #write(bytes: Buffer): void {
    this.#busySinceMs = this.#now();
    this.#sink.write(bytes, () => {
      this.#busySinceMs = undefined;
      const next = this.#waiting;
      this.#waiting = undefined;
      if (next) this.#send(next);
    });
  }
}
