import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { TrendColumns, TrendSample } from './columns.js';
import { TimeWindowBuffer } from './time-window-buffer.js';

const WINDOW_MS = 600_000;
const INTERVAL_MS = 1000;
/** A longer interval between samples counts as a gap, because the process was blocked. */
const GAP_MS = 2.5 * INTERVAL_MS;
const NO_SAMPLE: TrendSample = { lagMs: null, answerMs: null, speedMmps: null, batteryMv: null };

/** Keeps the samples of the last ten minutes (at most 600) in memory only. */
export class Trend {
  readonly #clock: Clock;
  readonly #samples = new TimeWindowBuffer<TrendSample>({
    windowMs: WINDOW_MS - INTERVAL_MS,
    maxBytes: WINDOW_MS / INTERVAL_MS,
  });
  #cancel: Cancel = () => {};

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  start(sample: () => TrendSample): void {
    this.#cancel = this.#clock.every(INTERVAL_MS, () => this.#samples.add(this.#clock.now(), sample(), 1));
  }

  /** Returns a copy of the samples with a row of `null` for each gap. */
  columns(): TrendColumns {
    const columns: TrendColumns = { at: [], lagMs: [], answerMs: [], speedMmps: [], batteryMv: [] };
    const offsetMs = Math.round(this.#clock.wallTime() - this.#clock.now());
    let previousMs = Number.POSITIVE_INFINITY;
    for (const { atMs, value } of this.#samples.entries()) {
      if (atMs - previousMs > GAP_MS) addRow(columns, offsetMs + previousMs + INTERVAL_MS, NO_SAMPLE);
      addRow(columns, offsetMs + atMs, value);
      previousMs = atMs;
    }
    return columns;
  }

  close(): void {
    this.#cancel();
  }
}

function addRow({ at, lagMs, answerMs, speedMmps, batteryMv }: TrendColumns, atMs: number, row: TrendSample) {
  at.push(Math.round(atMs));
  lagMs.push(row.lagMs);
  answerMs.push(row.answerMs);
  speedMmps.push(row.speedMmps);
  batteryMv.push(row.batteryMv);
}
