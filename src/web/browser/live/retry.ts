import { Backoff, doubling } from '../../../shared/retry.js';

/** Repeats a failed connection after 0.25 s, doubling to 5 s. */
export class Retry {
  readonly #again: () => void;
  readonly #backoff = new Backoff({ delaysMs: doubling(250, 5000), jitter: 'half' });
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(again: () => void) {
    this.#again = again;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** Tries again after the next wait. */
  later(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#again();
    }, this.#backoff.next());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** After a success the next failure is the first again. */
  reset(): void {
    this.#backoff.reset();
  }
}
