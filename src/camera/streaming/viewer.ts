import { type Layout, type MultipartImage, STREAM_HEAD } from './multipart-frame.js';

export interface Sink {
  /** Calls `flushed` when the socket has written the bytes. */
  write(bytes: Buffer, flushed: () => void): void;
  destroy(): void;
}

export interface ViewerOptions {
  fps?: number;
  layout?: Layout;
}

export interface ViewerState {
  sent: number;
  /** Images that were replaced by a newer one before they were sent. */
  dropped: number;
}

/** An image is accepted up to this many ms before it is due. */
const EARLY_TOLERANCE_MS = 3;

/** At most one image is being sent, and at most one image, the latest, is queued. */
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
  readonly #openedMs: number;

  constructor(sink: Sink, { fps, layout = 'plain' }: ViewerOptions, now: () => number) {
    this.#sink = sink;
    this.#layout = layout;
    this.#gapMs = fps === undefined ? 0 : 1000 / fps;
    this.#now = now;
    this.#openedMs = now();
    this.#write(STREAM_HEAD[layout]);
  }

  /** Sends the image, or queues it if a write is in progress. Ignores an image that is not due yet. */
  offer(image: MultipartImage): void {
    const now = this.#now();
    if (now < this.#dueMs - EARLY_TOLERANCE_MS) return;
    // Due times are a fixed interval apart, so that jitter does not reduce the image rate.
    this.#dueMs = (now - this.#dueMs < this.#gapMs ? this.#dueMs : now) + this.#gapMs;
    if (this.#busySinceMs === undefined) this.#send(image);
    else {
      if (this.#waiting) this.#dropped += 1;
      this.#waiting = image;
    }
  }

  /** Returns true in the first `ms` after the connection, until an image is sent. */
  awaitsFirstImage(ms: number): boolean {
    return this.#sent === 0 && this.#now() - this.#openedMs < ms;
  }

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
