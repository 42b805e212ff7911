/**
 * Maximum relative drift of two clocks with errors of up to 100 ppm each; drift can make transit times appear
 * to grow.
 */
const DRIFT = 200e-6;
/** If connecting takes longer than this, the arrival time of the headers is not a reliable reference. */
const UNRELIABLE_MS = 1500;

/**
 * Measures the delay of events. The offset between the gateway's clock and the browser's clock is unknown, so
 * the fastest event is assumed to have no delay and is the reference for all other events. The reference is
 * kept across connections, because the first event of a new connection may be queued behind events of the
 * previous one.
 */
export class NetworkLatency {
  /**
   * Transit time of the fastest event (the browser's arrival time minus the gateway's sending time), and its
   * arrival time.
   */
  #fastestMs = Number.POSITIVE_INFINITY;
  #fastestAt = 0;

  /**
   * Must be called once per connection. Uses the arrival time of the headers, because a large snapshot takes
   * much longer to arrive.
   */
  begin(requestedAt: number, headAt: number, sentMs: number): void {
    // The reference is discarded if a clock has jumped or the gateway has restarted.
    if (this.#fastestBy(headAt) < requestedAt - sentMs) this.#fastestMs = Number.POSITIVE_INFINITY;
    this.delayMs(sentMs, headAt - requestedAt > UNRELIABLE_MS ? requestedAt : headAt);
  }

  /**
   * Returns the delay of an event in ms. A clock that stops while the tablet sleeps makes events seem faster,
   * never slower.
   */
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
