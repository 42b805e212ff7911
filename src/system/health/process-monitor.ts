import { freemem, totalmem } from 'node:os';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Cancel, Clock } from '../../shared/ports/clock.js';

/** How the process is: milliseconds and bytes. */
export interface ProcessMetrics {
  /** How late the event loop was in the last one to two minutes. */
  lag: { medianMs: number; p99Ms: number; maxMs: number };
  memory: { residentBytes: number; heapBytes: number; machineFreeBytes: number; machineBytes: number };
  /** Share of one core since the last window began, 0 to 1 and above. */
  cpu: number;
}

const WINDOW_MS = 60_000;
/** The histogram's own timer: what it measures is this and the lateness. */
const RESOLUTION_MS = 20;

/** Watches the event loop and the memory of this process. */
export class ProcessMonitor {
  readonly #clock: Clock;
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  /** A histogram of its own, since that of the minutes must not be emptied every second. */
  readonly #latest: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #cancel: Cancel = () => {};
  #maxBeforeMs = 0;
  #cpuAt = process.cpuUsage();
  #sinceMs = 0;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  start(): void {
    this.#sinceMs = this.#clock.now();
    this.#histogram.enable();
    this.#latest.enable();
    this.#cancel = this.#clock.every(WINDOW_MS, () => this.#turn());
  }

  read(): ProcessMetrics {
    const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
    const { user, system } = process.cpuUsage(this.#cpuAt);
    const histogram = this.#histogram;
    return {
      lag: {
        medianMs: lateness(histogram.percentile(50)),
        p99Ms: lateness(histogram.percentile(99)),
        maxMs: Math.max(this.#maxBeforeMs, lateness(histogram.max)),
      },
      memory: { residentBytes, heapBytes, machineFreeBytes: freemem(), machineBytes: totalmem() },
      cpu: (user + system) / 1000 / Math.max(1, this.#clock.now() - this.#sinceMs),
    };
  }

  /** How late the event loop was at most since this was last asked, ms; `null` when nothing was measured. For one asker. */
  takeLagMs(): number | null {
    const lagMs = this.#latest.count === 0 ? null : lateness(this.#latest.max);
    this.#latest.reset();
    return lagMs;
  }

  close(): void {
    this.#cancel();
    this.#histogram.disable();
    this.#latest.disable();
  }

  #turn(): void {
    this.#maxBeforeMs = lateness(this.#histogram.max);
    this.#histogram.reset();
    this.#cpuAt = process.cpuUsage();
    this.#sinceMs = this.#clock.now();
  }
}

/** ms over the resolution, from ns. */
function lateness(delayNs: number): number {
  return Math.max(0, delayNs / 1e6 - RESOLUTION_MS);
}
