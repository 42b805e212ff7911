import { Backoff, doubling } from '../../shared/retry.js';

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A connection that ends sooner than this after the broker's welcome was not a good one. */
const EARLY_MS = 5_000;
/** More early ends than this within a minute: somebody else uses our client id. */
const MAX_EARLY = 3;
const MINUTE_MS = 60_000;

/**
 * How long to wait before the next connection: 0.5 s doubling to 30 s, full jitter, so that a fleet does not come back
 * all at once. Two clients with one id throw each other out as fast as they reconnect; that is recognised, and both
 * then wait the full 30 s.
 */
export class Redial {
  #backoff: Backoff;
  #openedAtMs: number | undefined;
  #earlyEnds: number[] = [];
  #contested = false;

  constructor(random: () => number = Math.random) {
    this.#backoff = new Backoff({ delaysMs: doubling(FIRST_MS, LONGEST_MS), jitter: 'full' }, random);
  }

  /** Whether connections keep ending right after they were accepted. Forgotten once one has lasted a minute. */
  get contested(): boolean {
    return this.#contested;
  }

  /** The broker has accepted a connection. */
  opened(nowMs: number): void {
    this.#openedAtMs = nowMs;
  }

  /** A connection has ended, or was never made: ms to wait before the next one. */
  next(nowMs: number): number {
    this.#judge(nowMs);
    return this.#contested ? LONGEST_MS : this.#backoff.next();
  }

  #judge(nowMs: number): void {
    if (this.#openedAtMs === undefined) return;
    const lastedMs = nowMs - this.#openedAtMs;
    this.#openedAtMs = undefined;
    if (lastedMs >= MINUTE_MS) this.#contested = false;
    if (lastedMs >= EARLY_MS) {
      this.#backoff.reset();
      return;
    }
    this.#earlyEnds = [...this.#earlyEnds.filter((atMs) => nowMs - atMs < MINUTE_MS), nowMs];
    if (this.#earlyEnds.length > MAX_EARLY) this.#contested = true;
  }
}
