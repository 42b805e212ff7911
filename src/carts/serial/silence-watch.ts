/** A controller reports every 100 ms while moving and every 500 ms at rest. */
const QUIET_MS = { moving: 300, idle: 1200 };
const LOST_MS = { moving: 1000, idle: 1500 };

interface Silence {
  level: 'fine' | 'quiet' | 'lost';
  /** Since the last report. */
  quietMs: number;
}

/** Measures the silence of the controller. Times are on the monotonic clock. */
export class SilenceWatch {
  #heardAtMs = 0;
  #movingSinceMs = 0;

  /** When the controller was last heard; 0 before the first time. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Called for every report. */
  heard(nowMs: number): void {
    this.#heardAtMs = nowMs;
  }

  /** Called from the control loop. */
  check(nowMs: number, moving: boolean): Silence {
    if (!moving) this.#movingSinceMs = nowMs;
    // A cart at rest reports less often: the stricter limit counts from the moment at which it began to move.
    const heardAtMs = moving ? Math.max(this.#heardAtMs, this.#movingSinceMs) : this.#heardAtMs;
    const quietMs = nowMs - heardAtMs;
    const mode = moving ? 'moving' : 'idle';
    const level = quietMs > LOST_MS[mode] ? 'lost' : quietMs > QUIET_MS[mode] ? 'quiet' : 'fine';
    return { level, quietMs };
  }
}
