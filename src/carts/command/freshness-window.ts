import type { Basis } from '../mqtt/messages/schema.js';

/** Longer than the longest time to live (10 s) plus `STATE_PERIOD_MS`. */
const KEEP_MS = 12_000;
/** A state is published every second, so a command may be based on a state that is up to 1 s old. */
const STATE_PERIOD_MS = 1000;

type BasisVerdict = 'ok' | 'EXPIRED_SESSION' | 'EXPIRED';

/**
 * Times at which this gateway published its cart's states. An MQTT command names the latest state that its
 * sender had received. The age of that state on this gateway's monotonic clock proves that the command is
 * recent, so no other clock needs to be trusted. A command that was retained, replayed, delayed or sent
 * before a restart names a state that is too old or belongs to a different session.
 */
export class FreshnessWindow {
  #sessionId: string;
  #emergencyStops: () => number;
  #published = new Map<number, { atMs: number; emergencyStops: number }>();

  /** @param emergencyStops returns the number of emergency stops since startup. */
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

  /** Checks whether a command with this basis and time to live may still start. */
  judge({ sessionId, stateHeaderId }: Basis, ttlMs: number, nowMs: number): BasisVerdict {
    if (sessionId !== this.#sessionId) return 'EXPIRED_SESSION';
    const published = this.#published.get(stateHeaderId);
    return published && nowMs - published.atMs <= ttlMs + STATE_PERIOD_MS ? 'ok' : 'EXPIRED';
  }

  /**
   * True if an emergency stop occurred after the named state. Stops are counted, not timed, because a stop
   * and the states before and after it can fall within the same millisecond.
   */
  stoppedSince({ stateHeaderId }: Basis): boolean {
    return this.#published.get(stateHeaderId)?.emergencyStops !== this.#emergencyStops();
  }
}
