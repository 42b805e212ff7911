import { isRssi } from './ranging.js';

const WINDOW = 9;
const MIN_SAMPLES = 5;
/** Weight of a new median. At 0.25, a value's weight halves every 2.4 samples. */
const SMOOTHING = 0.25;

export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

/**
 * Exponentially weighted mean of medians, computed in dB, where fading is symmetric. The filter needs five
 * samples, so that one outlier in five has no effect.
 */
export class RssiFilter {
  #window: number[] = [];
  #smoothDbm: number | undefined;

  /** Ignores 0 and 127, which mean "not available". */
  add(rssiDbm: number): number | undefined {
    if (!isRssi(rssiDbm)) return this.#smoothDbm;
    this.#window.push(rssiDbm);
    if (this.#window.length > WINDOW) this.#window.shift();
    const median = this.#window.length < MIN_SAMPLES ? undefined : medianOf(this.#window);
    if (median === undefined) return undefined;
    const before = this.#smoothDbm ?? median;
    this.#smoothDbm = before + SMOOTHING * (median - before);
    return this.#smoothDbm;
  }

  /** The smoothed strength in dBm; undefined before the fifth sample. */
  get value(): number | undefined {
    return this.#smoothDbm;
  }
}
