import type { Basis } from '../mqtt/messages/schema.js';

/** As long as the longest time to live and the second that a state may be old when somebody decides on it. */
const KEEP_MS = 12_000;
/** A state is published every second, so a wish may be decided on one that is a second old. */
const STATE_PERIOD_MS = 1000;

type BasisVerdict = 'ok' | 'EXPIRED_SESSION' | 'EXPIRED';

/**
 * When this cart published which of its states. A wish from the tree quotes the newest state that its sender had seen;
 * by our own monotonic clock we know how old that one is, and so that the wish is fresh, without trusting any other
 * clock. Retained, replayed, delayed and pre-restart wishes all quote a state that is too old or not ours.
 */
export class FreshnessWindow {
  #sessionId: string;
  #emergencyStops: () => number;
  #published = new Map<number, { atMs: number; emergencyStops: number }>();

  /** @param emergencyStops how many the cart has had until now. */
  constructor(sessionId: string, emergencyStops: () => number) {
    this.#sessionId = sessionId;
    this.#emergencyStops = emergencyStops;
  }

  /** Our state with this `headerId` goes out now. */
  add(headerId: number, nowMs: number): void {
    this.#published.set(headerId, { atMs: nowMs, emergencyStops: this.#emergencyStops() });
    // A Map keeps the order of insertion, so the oldest come first.
    for (const [old, { atMs }] of this.#published) {
      if (nowMs - atMs <= KEEP_MS) break;
      this.#published.delete(old);
    }
  }

  /** Whether a wish with this time to live may still start. */
  judge({ sessionId, stateHeaderId }: Basis, ttlMs: number, nowMs: number): BasisVerdict {
    if (sessionId !== this.#sessionId) return 'EXPIRED_SESSION';
    const published = this.#published.get(stateHeaderId);
    return published && nowMs - published.atMs <= ttlMs + STATE_PERIOD_MS ? 'ok' : 'EXPIRED';
  }

  /**
   * Whether the cart was stopped by an emergency stop after the state that a wish quotes. Stops are counted: a stop, the
   * state before it and the one that tells of it may fall into the same millisecond.
   */
  stoppedSince({ stateHeaderId }: Basis): boolean {
    return this.#published.get(stateHeaderId)?.emergencyStops !== this.#emergencyStops();
  }
}
