/** Whether the wall clock was set from a time server. For people and records: nothing is decided by it. */
export interface TimeSync {
  /** Undefined when this machine does not tell. */
  synced(): boolean | undefined;
  close(): void;
}

/** Whoever started this process and watches over it: systemd, pm2, or nobody. Telling it something never throws. */
export interface Supervisor {
  /** It serves. `status`: how it is, one sentence for people. */
  ready(status: string): void;
  /** All that must work does; to be told every second. */
  alive(): void;
  status(status: string): void;
  /** It was told to stop, and does. */
  stopping(): void;
  close(): void;
}
