import { Backoff, doubling } from '../../../shared/retry.js';

/** Reconnects after 0.25 s. The delay doubles with each attempt, up to 5 s. */
export class Retry {
  readonly #connect: () => void;
  readonly #backoff = new Backoff({ delaysMs: doubling(250, 5000), jitter: 'half' });
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connect: () => void) {
    this.#connect = connect;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  schedule(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#connect();
    }, this.#backoff.next());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  reset(): void {
    this.#backoff.reset();
  }
}
