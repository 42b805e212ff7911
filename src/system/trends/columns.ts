/** Values measured once a second; `null` if a value was not measured. */
export interface TrendSample {
  /** Maximum event-loop lag. */
  lagMs: number | null;
  /** Maximum time until the controller's acknowledgement of a command. */
  answerMs: number | null;
  /** Negative in reverse. */
  speedMmps: number | null;
  batteryMv: number | null;
}

/** Columns of equal length, oldest sample first. `at` is the Unix time in ms. */
export type TrendColumns = { at: number[] } & { [Name in keyof TrendSample]: TrendSample[Name][] };
