import { isRssi } from './ranging.js';

/** How many newest samples the median looks at, and how many it wants before it is worth giving. */
const WINDOW = 9;
const MEDIAN_OF = 5;
/** Weight of a new median: 0.25 forgets half of the past in 2.4 samples. */
const SMOOTHING = 0.25;

/** The middle value, or the mean of the two in the middle; undefined of nothing. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

/**
 * Smooths the strength of one beacon as its samples come in: the median of the newest (at least five, so that one wild
 * sample in five changes nothing), then an exponentially weighted mean. In dB, where fading is symmetric.
 */
export class RssiFilter {
  #window: number[] = [];
  #smoothDbm: number | undefined;

  /** Takes a sample in dBm; 0 and 127 are left out. Answers as `value` does. */
  add(rssiDbm: number): number | undefined {
    if (!isRssi(rssiDbm)) return this.#smoothDbm;
    this.#window.push(rssiDbm);
    if (this.#window.length > WINDOW) this.#window.shift();
    const median = this.#window.length < MEDIAN_OF ? undefined : medianOf(this.#window);
    if (median === undefined) return undefined;
    const before = this.#smoothDbm ?? median;
    this.#smoothDbm = before + SMOOTHING * (median - before);
    return this.#smoothDbm;
  }

  /** The smoothed strength in dBm; undefined until five samples have come. */
  get value(): number | undefined {
    return this.#smoothDbm;
  }
}
