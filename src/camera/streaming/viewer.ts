import { type Layout, type Part, STREAM_HEAD } from './multipart-frame.js';

/** Where a viewer's pictures go: a socket, as far as this room knows it. */
export interface Sink {
  /** Sends bytes; `taken` is called when nothing of them waits on our side any more. */
  write(bytes: Buffer, taken: () => void): void;
  destroy(): void;
}

export interface ViewerOptions {
  /** The most pictures a second; as many as the camera gives when left out. */
  fps?: number;
  layout?: Layout;
}

export interface ViewerState {
  /** Pictures that were sent. */
  sent: number;
  /** Pictures that a newer one took the place of, because the viewer had not taken the one before. */
  dropped: number;
}

/** A clock may be early by this much without costing a viewer its picture. */
const EARLY_MS = 3;

/** One viewer of the stream: at most one picture on its way and one waiting, and the newest is the one that waits. */
export class Viewer {
  readonly #sink: Sink;
  readonly #layout: Layout;
  readonly #gapMs: number;
  readonly #now: () => number;
  #waiting: Part | undefined;
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

  /** Sends the part, or keeps it as the next one. */
  offer(part: Part): void {
    const now = this.#now();
    if (now < this.#dueMs - EARLY_MS) return;
    // On a grid, so that 10 of 30 pictures a second are ten, however the clock trembles.
    this.#dueMs = (now - this.#dueMs < this.#gapMs ? this.#dueMs : now) + this.#gapMs;
    if (this.#busySinceMs === undefined) this.#send(part);
    else {
      if (this.#waiting) this.#dropped += 1;
      this.#waiting = part;
    }
  }

  /** For how long it has taken nothing, ms. */
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

  #send(part: Part): void {
    this.#sent += 1;
    this.#write(part.bytes(this.#layout));
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
