const FIRST_MS = 250;
const LAST_MS = 5000;

/**
 * Tries again what failed: after 0.25 s, doubling to 5 s, each wait between a half and the whole, so that many pages do
 * not come back at once.
 */
export class Retry {
  #again: () => void;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(again: () => void) {
    this.#again = again;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** Tries again after the next wait. */
  later(): void {
    const waitMs = Math.min(FIRST_MS * 2 ** this.#attempt, LAST_MS) * (0.5 + Math.random() / 2);
    this.#attempt += 1;
    this.stop();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#again();
    }, waitMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** It went well: the next failure is a first one again. */
  reset(): void {
    this.#attempt = 0;
  }
}
