/** Measured once a second; `null` if not measured. */
export interface TrendSample {
  /** Maximum event-loop lag, ms. */
  lagMs: number | null;
  /** Maximum time until the controller acknowledged a command, ms. */
  answerMs: number | null;
  /** Negative when driving backwards. */
  speedMmps: number | null;
  batteryMv: number | null;
}

/** The last ten minutes in columns of equal length, oldest first; `at` in ms since 1970 UTC. */
export type TrendColumns = { at: number[] } & { [Name in keyof TrendSample]: TrendSample[Name][] };
