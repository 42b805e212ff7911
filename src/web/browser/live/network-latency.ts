/**
 * Relative drift of two clocks that each drift by up to 100 ppm: the minimum measured transit time may grow
 * at this rate even if there is no delay.
 */
const DRIFT = 200e-6;
/** If connecting takes longer than this, the arrival time of the headers is not a reliable reference. */
const UNRELIABLE_MS = 1500;

/**
 * Measures the delay of events. The offset between the gateway's clock and the page's clock is unknown, but
 * both clocks run at the same rate. The fastest event counts as not delayed; the delay of any other event is
 * its additional transit time. The reference is kept across connections, because a new connection may start
 * behind the previous connection's queue. All times are in ms.
 */
export class NetworkLatency {
  /**
   * The transit time of the fastest event, measured as the difference between the two clocks, and its arrival
   * time.
   */
  #fastestMs = Number.POSITIVE_INFINITY;
  #fastestAt = 0;

  /**
   * Must be called once for each connection. The arrival time of the headers is used because the headers are
   * sent with the first event and arrive well before the end of a long snapshot.
   */
  begin(requestedAt: number, headAt: number, sentMs: number): void {
    // If an event appears to have been sent before it was requested, a clock has jumped or the gateway has
    // restarted, so the reference is discarded.
    if (this.#fastestBy(headAt) < requestedAt - sentMs) this.#fastestMs = Number.POSITIVE_INFINITY;
    this.delayMs(sentMs, headAt - requestedAt > UNRELIABLE_MS ? requestedAt : headAt);
  }

  /**
   * Returns the delay of an event. A clock that stops while the tablet sleeps makes events seem faster, never
   * slower.
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
