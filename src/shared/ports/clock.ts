/** Takes a listener, timer or subscription away again; calling it twice does nothing. */
export type Cancel = () => void;

/** Time comes in through this, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds on a monotonic clock: for every decision. */
  now(): number;
  /** Milliseconds since 1970 UTC: for people and records only, never for a decision. */
  wallTime(): number;
  after(delayMs: number, run: () => void): Cancel;
  every(periodMs: number, run: () => void): Cancel;
}
