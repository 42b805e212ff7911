/** Time synchronisation state of the wall clock. For display and records only. */
export interface TimeSync {
  /** True if a time server has set the clock; undefined if unknown. */
  synced(): boolean | undefined;
  close(): void;
}

/** The process manager: systemd, pm2 or none. Methods never throw. */
export interface Supervisor {
  /** Reports that the gateway is serving. `status`: one line for operators. */
  ready(status: string): void;
  /** Feeds the watchdog; must be called every second. */
  alive(): void;
  status(status: string): void;
  /** Reports that shutdown has begun. */
  stopping(): void;
  close(): void;
}
