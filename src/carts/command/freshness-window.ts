import type { Basis } from '../mqtt/messages/schema.js';

/** More than the longest time to live (10 s) plus `STATE_PERIOD_MS`. */
const KEEP_MS = 12_000;
/** A state is published every second, so a command may be based on a state that is one second old. */
const STATE_PERIOD_MS = 1000;

type BasisVerdict = 'ok' | 'EXPIRED_SESSION' | 'EXPIRED';

/**
 * Times at which this cart published its states. An MQTT command quotes the latest state that its sender had
 * received; its age on our own monotonic clock proves that the command is fresh, without trusting any other
 * clock. Retained, replayed, delayed and pre-restart commands all quote a state that is too old or belongs to
 * a different session.
 */
export class FreshnessWindow {
  #sessionId: string;
  #emergencyStops: () => number;
  #published = new Map<number, { atMs: number; emergencyStops: number }>();

  /** @param emergencyStops number of the cart's emergency stops since startup. */
  constructor(sessionId: string, emergencyStops: () => number) {
    this.#sessionId = sessionId;
    this.#emergencyStops = emergencyStops;
  }

  /** Records that the state `headerId` is being published now. */
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
   * True if an emergency stop occurred after the quoted state. Stops are counted instead of timed: a stop and
   * the states before and after it may fall into the same millisecond.
   */
  stoppedSince({ stateHeaderId }: Basis): boolean {
    return this.#published.get(stateHeaderId)?.emergencyStops !== this.#emergencyStops();
  }
}
