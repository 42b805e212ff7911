import type { Clock } from '../../shared/ports/clock.js';

const WINDOW_MS = 3_600_000;
const MAX_COUNTED = 1000;

/** Counts the connection losses of the last hour, up to 1000. */
export class RecentLosses {
  readonly #clock: Pick<Clock, 'now'>;
  #atMs: number[] = [];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  add(): void {
    this.#atMs = [...this.#atMs.slice(1 - MAX_COUNTED), this.#clock.now()];
  }

  get count(): number {
    const sinceMs = this.#clock.now() - WINDOW_MS;
    return this.#atMs.filter((atMs) => atMs > sinceMs).length;
  }
}
