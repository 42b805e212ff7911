/** Drift of two clocks, each up to 100 ppm: the minimum transit time may grow at this rate without any delay. */
const DRIFT = 200e-6;
/** If connecting takes longer than this, the time of the headers is not a reliable reference. */
const UNRELIABLE_MS = 1500;

/**
 * Measures event delay. The gateway's and the page's clocks have unknown offsets but run at the same rate:
 * the fastest event counts as not delayed, and the delay of any other event is the extra time that it took.
 * The reference persists across connections, because a new connection may start behind the previous one's
 * queue. All times are in ms.
 */
export class NetworkLatency {
  /** The fastest event's transit time, as measured by the two clocks, and its arrival time. */
  #fastestMs = Number.POSITIVE_INFINITY;
  #fastestAt = 0;

  /**
   * Must be called for each connection. The headers are sent with the first event and arrive well before the
   * end of a long snapshot.
   */
  begin(requestedAt: number, headAt: number, sentMs: number): void {
    // If an event appears to have been sent before its request, a clock has jumped or the gateway has
    // restarted.
    if (this.#fastestBy(headAt) < requestedAt - sentMs) this.#fastestMs = Number.POSITIVE_INFINITY;
    this.delayMs(sentMs, headAt - requestedAt > UNRELIABLE_MS ? requestedAt : headAt);
  }

  /** The delay of this event. A clock that stops while the tablet sleeps makes events seem faster, never slower. */
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
