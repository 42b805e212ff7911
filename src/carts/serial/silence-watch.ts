/**
 * A controller that sends no report for this many ms counts as quiet. A controller sends a report every 100 ms while
 * moving and every 500 ms while idle.
 */
const QUIET_MS = { moving: 300, idle: 1200 };
const LOST_MS = { moving: 1000, idle: 1500 };

interface Silence {
  level: 'fine' | 'quiet' | 'lost';
  quietMs: number;
}

export class SilenceWatch {
  #lastReportMs = 0;
  #movingSinceMs = 0;

  /** Time of the last report; 0 before the first report. */
  get lastReportMs(): number {
    return this.#lastReportMs;
  }

  reset(nowMs: number): void {
    this.#lastReportMs = nowMs;
  }

  check(nowMs: number, moving: boolean): Silence {
    if (!moving) this.#movingSinceMs = nowMs;
    // An idle controller reports less often, so the stricter limit counts from the start of the motion.
    const sinceMs = moving ? Math.max(this.#lastReportMs, this.#movingSinceMs) : this.#lastReportMs;
    const quietMs = nowMs - sinceMs;
    const mode = moving ? 'moving' : 'idle';
    const level = quietMs > LOST_MS[mode] ? 'lost' : quietMs > QUIET_MS[mode] ? 'quiet' : 'fine';
    return { level, quietMs };
  }
}
