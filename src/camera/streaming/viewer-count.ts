import type { Cancel, Clock } from '../../shared/ports/clock.js';

/**
 * Starts a resource for its first user and ends it `lingerMs` after the last user has released it, because a
 * polling page acquires and releases the resource for each image.
 */
export class ViewerCount {
  readonly #start: () => Cancel;
  readonly #clock: Clock;
  readonly #lingerMs: number;
  #users = 0;
  #release: Cancel | undefined;
  #timer: Cancel | undefined;

  constructor(start: () => Cancel, { clock, lingerMs }: { clock: Clock; lingerMs: number }) {
    this.#start = start;
    this.#clock = clock;
    this.#lingerMs = lingerMs;
  }

  acquire(): Cancel {
    this.#timer?.();
    this.#timer = undefined;
    this.#release ??= this.#start();
    this.#users += 1;
    let isAcquired = true;
    return () => {
      if (!isAcquired) return;
      isAcquired = false;
      this.#users -= 1;
      if (this.#users === 0 && this.#release)
        this.#timer = this.#clock.after(this.#lingerMs, () => this.close());
    };
  }

  close(): void {
    this.#timer?.();
    this.#timer = undefined;
    this.#release?.();
    this.#release = undefined;
  }
}
