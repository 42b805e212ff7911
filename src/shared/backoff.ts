/** ±20 %, so that many clients do not knock in step. */
const nearly = (ms: number): number => ms * (0.8 + 0.4 * Math.random());

/** Waiting times that double from `firstMs` to `mostMs`, each varied by `vary`. */
export class Backoff {
  #firstMs: number;
  #mostMs: number;
  #nextMs: number;
  #vary: (ms: number) => number;

  constructor(firstMs: number, mostMs: number, vary = nearly) {
    this.#firstMs = firstMs;
    this.#mostMs = mostMs;
    this.#nextMs = firstMs;
    this.#vary = vary;
  }

  /** The time to wait now, in ms; the next one is twice as long. */
  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, this.#mostMs);
    return this.#vary(ms);
  }

  /** Success: the next wait is the shortest again. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
