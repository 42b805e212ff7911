import type { Basis } from './messages/schema.js';

/** How long states are recorded; exceeds the longest time to live (10 s) plus `STATE_PERIOD_MS`. */
const KEEP_MS = 12_000;
/** States are published every second, so a command may be based on a state that is up to 1 s old. */
const STATE_PERIOD_MS = 1000;

type BasisVerdict = 'ok' | 'EXPIRED_SESSION' | 'EXPIRED';

/**
 * Records when this gateway published its cart's states, on the monotonic clock. An MQTT command names the
 * latest state that its sender received; a retained, replayed, delayed or pre-restart command names a state
 * that is too old or from another session.
 */
export class FreshnessWindow {
  #sessionId: string;
  #emergencyStops: () => number;
  #published = new Map<number, { atMs: number; emergencyStops: number }>();

  /** @param emergencyStops returns the number of latching stops since startup. */
  constructor(sessionId: string, emergencyStops: () => number) {
    this.#sessionId = sessionId;
    this.#emergencyStops = emergencyStops;
  }

  add(headerId: number, nowMs: number): void {
    this.#published.set(headerId, { atMs: nowMs, emergencyStops: this.#emergencyStops() });
    // A Map preserves insertion order, so the oldest states come first.
    for (const [old, { atMs }] of this.#published) {
      if (nowMs - atMs <= KEEP_MS) break;
      this.#published.delete(old);
    }
  }

  judge({ sessionId, stateHeaderId }: Basis, ttlMs: number, nowMs: number): BasisVerdict {
    if (sessionId !== this.#sessionId) return 'EXPIRED_SESSION';
    const published = this.#published.get(stateHeaderId);
    return published && nowMs - published.atMs <= ttlMs + STATE_PERIOD_MS ? 'ok' : 'EXPIRED';
  }

  /** Compares counts of latching stops, because a stop and a state can have the same time in ms. */
  stoppedSince({ stateHeaderId }: Basis): boolean {
    return this.#published.get(stateHeaderId)?.emergencyStops !== this.#emergencyStops();
  }
}
