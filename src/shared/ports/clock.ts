/** Cancels a timer or removes a listener. Repeated calls have no effect. */
export type Cancel = () => void;

export interface Clock {
  /** Monotonic time in ms, for all decisions. */
  now(): number;
  /** Wall-clock time as Unix time in ms, for display and records only, because it may jump. */
  wallTime(): number;
  after(delayMs: number, run: () => void): Cancel;
  every(periodMs: number, run: () => void): Cancel;
}
