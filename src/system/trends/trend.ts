import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { TrendColumns, TrendSample } from './columns.js';
import { TimeWindowBuffer } from './time-window-buffer.js';

const WINDOW_MS = 600_000;
const EVERY_MS = 1000;
/** Two samples that are further apart have nothing between them: the process stood still. */
const GAP_MS = 2.5 * EVERY_MS;
const NOTHING: TrendSample = { lagMs: null, answerMs: null, speedMmps: null, batteryMv: null };

/** How the gateway and its cart were in the last ten minutes: at most 600 samples, in memory only. */
export class Trend {
  readonly #clock: Clock;
  readonly #samples = new TimeWindowBuffer<TrendSample>({
    windowMs: WINDOW_MS - EVERY_MS,
    maxBytes: WINDOW_MS / EVERY_MS,
  });
  #cancel: Cancel = () => {};

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /** Asks `sample` once a second from now on. */
  start(sample: () => TrendSample): void {
    this.#cancel = this.#clock.every(EVERY_MS, () => this.#samples.add(this.#clock.now(), sample(), 1));
  }

  /** A list of its own. Where nothing was asked for a while stands one row of `null`. */
  columns(): TrendColumns {
    const columns: TrendColumns = { at: [], lagMs: [], answerMs: [], speedMmps: [], batteryMv: [] };
    const offsetMs = Math.round(this.#clock.wallTime() - this.#clock.now());
    let beforeMs = Number.POSITIVE_INFINITY;
    for (const { atMs, value } of this.#samples.entries()) {
      if (atMs - beforeMs > GAP_MS) addRow(columns, offsetMs + beforeMs + EVERY_MS, NOTHING);
      addRow(columns, offsetMs + atMs, value);
      beforeMs = atMs;
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
