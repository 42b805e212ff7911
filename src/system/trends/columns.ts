/** What is measured once a second; `null`: not measured. */
export interface TrendSample {
  /** How late the event loop was at most, ms. */
  lagMs: number | null;
  /** The longest that the controller took to acknowledge a command, ms. */
  answerMs: number | null;
  /** Negative: backwards. */
  speedMmps: number | null;
  batteryMv: number | null;
}

/** The last ten minutes in columns of the same length, oldest first: `at` is in ms since 1970. */
export type TrendColumns = { at: number[] } & { [Name in keyof TrendSample]: TrendSample[Name][] };
