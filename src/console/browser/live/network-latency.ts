/** Maximum relative drift between two clocks (100 ppm each), which makes transit times appear to grow. */
const DRIFT = 200e-6;
/** If the headers arrive later than this after the request, their arrival time is not a reliable reference. */
const UNRELIABLE_MS = 1500;

/**
 * Measures the delay of events. The offset between the gateway's clock and the browser's clock is unknown, so
 * the fastest event is the reference and is assumed to have no delay. New connections keep the reference,
 * because their first event may be queued behind events of the previous connection.
 */
export class NetworkLatency {
  /** Transit time (browser's arrival time minus gateway's sending time) and arrival time of the fastest event. */
  #fastestMs = Number.POSITIVE_INFINITY;
  #fastestAt = 0;

  /** Must be called once per connection. Uses the headers' arrival, because a large snapshot arrives later. */
  begin(requestedAt: number, headAt: number, sentMs: number): void {
    // Discards the reference if a clock has jumped or the gateway has restarted.
    if (this.#fastestBy(headAt) < requestedAt - sentMs) this.#fastestMs = Number.POSITIVE_INFINITY;
    this.delayMs(sentMs, headAt - requestedAt > UNRELIABLE_MS ? requestedAt : headAt);
  }

  /** Returns an event's delay in ms. If the clock stops during sleep, events seem faster, never slower. */
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
