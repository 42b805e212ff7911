/** Reports whether the clock is synchronised; used only for display and records. */
export interface TimeSync {
  /** Returns true if a time server has set the clock; undefined if unknown. */
  synced(): boolean | undefined;
  close(): void;
}

/** The process manager: systemd, pm2 or none. Methods never throw. */
export interface Supervisor {
  /** The shell command that restarts the gateway, or an empty string if no process manager runs it. */
  restartCommand: string;
  /** Reports that the gateway accepts requests. `status` is one line for operators. */
  ready(status: string): void;
  /** Resets the watchdog timer. Must be called every second. */
  alive(): void;
  status(status: string): void;
  stopping(): void;
  close(): void;
}
