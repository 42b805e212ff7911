import { freemem, totalmem } from 'node:os';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Cancel, Clock } from '../../shared/ports/clock.js';

export interface ProcessMetrics {
  /** `maxMs` covers the previous and the current one-minute window; the other values, the current one. */
  lag: { medianMs: number; p99Ms: number; maxMs: number };
  memory: { residentBytes: number; heapBytes: number; machineFreeBytes: number; machineBytes: number };
  /** CPU use in the current window, as a fraction of one core; can exceed 1 if several threads are busy. */
  cpu: number;
}

const WINDOW_MS = 60_000;
/** Timer interval, which is included in the measured delay. */
const RESOLUTION_MS = 20;

interface ProcessMonitorDeps {
  clock: Clock;
  /** Replaces `process.memoryUsage` in tests. */
  memoryUsage?: () => { rss: number; heapUsed: number };
}

export class ProcessMonitor {
  readonly #clock: Clock;
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  /** Reset by each call to `takeLagMs`, unlike `#histogram`. */
  readonly #latest: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #cancel: Cancel = () => {};
  readonly #memoryUsage: () => { rss: number; heapUsed: number };
  #memory = { residentBytes: 0, heapBytes: 0 };
  #previousMaxMs = 0;
  #cpuAt = process.cpuUsage();
  #sinceMs = 0;

  constructor({ clock, memoryUsage = process.memoryUsage }: ProcessMonitorDeps) {
    this.#clock = clock;
    this.#memoryUsage = memoryUsage;
  }

  start(): void {
    this.#sinceMs = this.#clock.now();
    this.#histogram.enable();
    this.#latest.enable();
    this.#cancel = this.#clock.every(WINDOW_MS, () => this.#startWindow());
  }

  read(): ProcessMetrics {
    const { user, system } = process.cpuUsage(this.#cpuAt);
    const histogram = this.#histogram;
    return {
      lag: {
        medianMs: lagMsOf(histogram.percentile(50)),
        p99Ms: lagMsOf(histogram.percentile(99)),
        maxMs: Math.max(this.#previousMaxMs, lagMsOf(histogram.max)),
      },
      memory: { ...this.#readMemory(), machineFreeBytes: freemem(), machineBytes: totalmem() },
      cpu: (user + system) / 1000 / Math.max(1, this.#clock.now() - this.#sinceMs),
    };
  }

  /** Returns and resets the maximum lag since the previous call; `null` if nothing was measured. */
  takeLagMs(): number | null {
    const lagMs = this.#latest.count === 0 ? null : lagMsOf(this.#latest.max);
    this.#latest.reset();
    return lagMs;
  }

  close(): void {
    this.#cancel();
    this.#histogram.disable();
    this.#latest.disable();
  }

  /**
   * Catches the error that occurs while no file descriptor is free. A timer reads these values, so the error would
   * end the process.
   */
  #readMemory(): { residentBytes: number; heapBytes: number } {
    try {
      const { rss: residentBytes, heapUsed: heapBytes } = this.#memoryUsage();
      this.#memory = { residentBytes, heapBytes };
    } catch {
      // The previous values are returned.
    }
    return this.#memory;
  }

  #startWindow(): void {
    this.#previousMaxMs = lagMsOf(this.#histogram.max);
    this.#histogram.reset();
    this.#cpuAt = process.cpuUsage();
    this.#sinceMs = this.#clock.now();
  }
}

function lagMsOf(delayNs: number): number {
  return Math.max(0, delayNs / 1e6 - RESOLUTION_MS);
}
