/** Two crystals differ by 100 ppm at most: by this much a second the quickest news may become slower without having waited. */
const DRIFT = 200e-6;
/** A connection that took longer to come than this says nothing about how late the first news on it is. */
const DOUBTFUL_MS = 1500;

/**
 * How long news waited on its way here. The clocks of the gateway and of this page have nothing in common but their pace:
 * the quickest news is taken to have come at once, and all other news has waited for as much as it took longer. That holds
 * from one connection to the next, since a new one may begin behind the queue of the last. All in ms.
 */
export class NetworkLatency {
  /** From sending to arrival, by two clocks, for the quickest news; and when that came. */
  #quickestMs = Number.POSITIVE_INFINITY;
  #quickestAt = 0;

  /**
   * A connection was asked for and its head has come, which was sent with its first news: it is here long before the end of
   * a long snapshot.
   */
  begin(askedAt: number, headAt: number, sentMs: number): void {
    // Nothing is told before it is asked for: our clock has jumped, or theirs is another since a restart.
    if (this.#quickestBy(headAt) < askedAt - sentMs) this.#quickestMs = Number.POSITIVE_INFINITY;
    this.ofMs(sentMs, headAt - askedAt > DOUBTFUL_MS ? askedAt : headAt);
  }

  /** How long this news waited. A clock that stood still while the tablet slept makes news quicker, never late. */
  ofMs(sentMs: number, arrivedAt: number): number {
    const tookMs = arrivedAt - sentMs;
    const waitedMs = tookMs - this.#quickestBy(arrivedAt);
    if (waitedMs > 0) return waitedMs;
    this.#quickestMs = tookMs;
    this.#quickestAt = arrivedAt;
    return 0;
  }

  #quickestBy(now: number): number {
    return this.#quickestMs + (now - this.#quickestAt) * DRIFT;
  }
}
