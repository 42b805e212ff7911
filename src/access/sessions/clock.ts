import type { Clock } from '../../shared/ports/clock.js';

export interface ClockMark {
  sessionMs: number;
  wallMs: number;
}

/** A wall clock that drifts from the monotonic clock by more than this has been stepped. */
const STEP_MS = 1000;

/**
 * Clock for the age of sessions: starts at the wall time and advances with the monotonic clock, so that
 * wall-clock steps have no effect. After a restart, the clock adds the wall time since the last mark. The
 * clock never runs backwards.
 */
export class SessionClock {
  #clock: Clock;
  #aheadMs: number;
  #markedMs: number;

  /** @param mark the previous process's last mark; undefined at the first startup. */
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

  wallTimeOf(sessionMs: number): number {
    return Math.round(sessionMs + this.#clock.wallTime() - this.now());
  }

  mark(): ClockMark {
    const mark = { sessionMs: this.now(), wallMs: Math.round(this.#clock.wallTime()) };
    this.#markedMs = mark.wallMs - mark.sessionMs;
    return mark;
  }

  get isStepped(): boolean {
    return Math.abs(this.#clock.wallTime() - this.now() - this.#markedMs) > STEP_MS;
  }
}
