/** The values are measured once a second; `null` means not measured. */
export interface TrendSample {
  /** Maximum event-loop lag, ms. */
  lagMs: number | null;
  /** Maximum time that the controller took to acknowledge a command, ms. */
  answerMs: number | null;
  /** Negative when driving backwards. */
  speedMmps: number | null;
  batteryMv: number | null;
}

/** Samples of the last ten minutes in columns of equal length, oldest first; `at` is in ms since 1970 UTC. */
export type TrendColumns = { at: number[] } & { [Name in keyof TrendSample]: TrendSample[Name][] };
