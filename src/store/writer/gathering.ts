/** Shorter commits are not worth a timer. */
const SLOW_MS = 4;
const PART = 4;
const MOST_MS = 10;

/**
 * Holds the next batch back for a moment after a slow commit. Callers that were just answered often write again at once;
 * a batch that leaves without them makes them wait for a whole commit more, and commits with half of the writes each.
 */
export class Gathering {
  readonly #onOver: () => void;
  #wanted = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onOver called when the moment has passed. */
  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  /**
   * A commit has ended: waits for as many writes as its callers and those who queued meanwhile can send, a quarter of the
   * time that it took at most.
   */
  begin(wanted: number, commitMs: number): void {
    this.end();
    if (commitMs < SLOW_MS) return;
    this.#wanted = wanted;
    this.#timer = setTimeout(
      () => {
        this.end();
        this.#onOver();
      },
      Math.min(commitMs / PART, MOST_MS),
    );
  }

  /** Whether more writes than these are worth waiting for. */
  isWaiting(queued: number): boolean {
    return this.#timer !== undefined && queued < this.#wanted;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
