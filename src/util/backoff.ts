/** Waiting times that double from `firstMs` to `mostMs`, each ±20 % so that many clients do not knock in step. */
export class Backoff {
  #firstMs: number;
  #mostMs: number;
  #nextMs: number;

  constructor(firstMs: number, mostMs: number) {
    this.#firstMs = firstMs;
    this.#mostMs = mostMs;
    this.#nextMs = firstMs;
  }

  /** The time to wait now, in ms; the next one is twice as long. */
  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, this.#mostMs);
    return ms * (0.8 + 0.4 * Math.random());
  }

  /** Success: the next wait is the shortest again. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
