/** Removes a listener, timer or subscription. Further calls have no effect. */
export type Cancel = () => void;

/** Time source and timers, replaced in tests. */
export interface Clock {
  /** Monotonic time in ms. All decisions use it. */
  now(): number;
  /** ms since 1970 UTC. For display and records only, because it may jump. */
  wallTime(): number;
  after(delayMs: number, run: () => void): Cancel;
  every(periodMs: number, run: () => void): Cancel;
}
