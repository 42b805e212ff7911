import { freemem, totalmem } from 'node:os';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Cancel, Clock } from '../../shared/ports/clock.js';

export interface ProcessMetrics {
  /** Event-loop lag over the last one to two minutes. */
  lag: { medianMs: number; p99Ms: number; maxMs: number };
  memory: { residentBytes: number; heapBytes: number; machineFreeBytes: number; machineBytes: number };
  /** Share of one core in the current window; above 1 with several threads. */
  cpu: number;
}

const WINDOW_MS = 60_000;
/** The measured delay includes this timer interval. */
const RESOLUTION_MS = 20;

/** Measures event-loop lag, memory and CPU of this process. */
export class ProcessMonitor {
  readonly #clock: Clock;
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  /** Reset by every `takeLagMs`, unlike `#histogram`. */
  readonly #latest: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #cancel: Cancel = () => {};
  #previousMaxMs = 0;
  #cpuAt = process.cpuUsage();
  #sinceMs = 0;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  start(): void {
    this.#sinceMs = this.#clock.now();
    this.#histogram.enable();
    this.#latest.enable();
    this.#cancel = this.#clock.every(WINDOW_MS, () => this.#startWindow());
  }

  read(): ProcessMetrics {
    const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
    const { user, system } = process.cpuUsage(this.#cpuAt);
    const histogram = this.#histogram;
    return {
      lag: {
        medianMs: lagMsOf(histogram.percentile(50)),
        p99Ms: lagMsOf(histogram.percentile(99)),
        maxMs: Math.max(this.#previousMaxMs, lagMsOf(histogram.max)),
      },
      memory: { residentBytes, heapBytes, machineFreeBytes: freemem(), machineBytes: totalmem() },
      cpu: (user + system) / 1000 / Math.max(1, this.#clock.now() - this.#sinceMs),
    };
  }

  /**
   * The maximum event-loop lag in ms since the previous call; `null` if nothing was measured. Supports a
   * single caller only.
   */
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

  #startWindow(): void {
    this.#previousMaxMs = lagMsOf(this.#histogram.max);
    this.#histogram.reset();
    this.#cpuAt = process.cpuUsage();
    this.#sinceMs = this.#clock.now();
  }
}

/** Event-loop lag in ms. */
function lagMsOf(delayNs: number): number {
  return Math.max(0, delayNs / 1e6 - RESOLUTION_MS);
}
