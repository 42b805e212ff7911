import type { Clock } from '../../shared/ports/clock.js';

/** What is kept of the clock for the next start. */
export interface ClockMark {
  /** The time of sessions, and the wall time at the same moment. */
  sessionMs: number;
  wallMs: number;
}

/** A wall clock that has moved further than this against the monotonic clock since the last mark was stepped. */
const STEP_MS = 1000;

/**
 * The time by which sessions age. It began as the wall time and runs with the monotonic clock, so that a step of the
 * wall clock changes no age. Over a restart the wall time since the last mark counts, and nothing when the wall clock went
 * back: what was off for 9 h has sessions that are 9 h older.
 */
export class SessionClock {
  #clock: Clock;
  #aheadMs: number;
  #markedMs: number;

  /** @param mark of the process before; undefined at the first start. */
  constructor(clock: Clock, mark: ClockMark | undefined) {
    this.#clock = clock;
    const wallMs = clock.wallTime();
    const startMs = mark ? mark.sessionMs + Math.max(0, wallMs - mark.wallMs) : wallMs;
    this.#aheadMs = startMs - clock.now();
    this.#markedMs = mark ? mark.wallMs - mark.sessionMs : 0;
  }

  now(): number {
    return Math.round(this.#clock.now() + this.#aheadMs);
  }

  /** The wall time of a moment, as the wall clock is now. */
  wallTimeOf(sessionMs: number): number {
    return Math.round(sessionMs + this.#clock.wallTime() - this.now());
  }

  /** For the store. */
  mark(): ClockMark {
    const mark = { sessionMs: this.now(), wallMs: Math.round(this.#clock.wallTime()) };
    this.#markedMs = mark.wallMs - mark.sessionMs;
    return mark;
  }

  /** Whether the wall clock was stepped since the last mark. */
  get isStepped(): boolean {
    return Math.abs(this.#clock.wallTime() - this.now() - this.#markedMs) > STEP_MS;
  }
}
