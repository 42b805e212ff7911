/**
 * Relative drift of two clocks with errors of up to 100 ppm each, which can make transit times appear to
 * grow.
 */
const DRIFT = 200e-6;
/** If connecting takes longer, the headers' arrival time is not a reliable reference. */
const UNRELIABLE_MS = 1500;

/**
 * Measures the delay of events. The offset between the two clocks is unknown, so the fastest event counts as
 * not delayed and is the reference for all other events. The reference is kept across connections, because a
 * new connection may start behind the previous one's queue.
 */
export class NetworkLatency {
  /** The fastest event's transit time, as the difference between the two clocks, and its arrival time. */
  #fastestMs = Number.POSITIVE_INFINITY;
  #fastestAt = 0;

  /**
   * Call this once per connection. Uses the headers' arrival time, because a long snapshot ends much later.
   */
  begin(requestedAt: number, headAt: number, sentMs: number): void {
    // The reference is discarded if a clock has jumped or the gateway has restarted.
    if (this.#fastestBy(headAt) < requestedAt - sentMs) this.#fastestMs = Number.POSITIVE_INFINITY;
    this.delayMs(sentMs, headAt - requestedAt > UNRELIABLE_MS ? requestedAt : headAt);
  }

  /** A clock that stops while the tablet sleeps makes events seem faster, never slower. */
  delayMs(sentMs: number, arrivedAt: number): number {
    const tookMs = arrivedAt - sentMs;
    const delayMs = tookMs - this.#fastestBy(arrivedAt);
    if (delayMs > 0) return delayMs;
    this.#fastestMs = tookMs;
    this.#fastestAt = arrivedAt;
    return 0;
  }

  #fastestBy(now: number): number {
    return this.#fastestMs + (now - this.#fastestAt) * DRIFT;
  }
}
