/** Removes a listener, timer or subscription. Further calls have no effect. */
export type Cancel = () => void;

/** Time source and timers. Replaced in tests. */
export interface Clock {
  /** Monotonic time in ms. All decisions are based on it. */
  now(): number;
  /** Wall-clock time in ms since 1970 UTC. Use it only for display and records, because it may jump. */
  wallTime(): number;
  after(delayMs: number, run: () => void): Cancel;
  every(periodMs: number, run: () => void): Cancel;
}
