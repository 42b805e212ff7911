import type { Clock } from '../../../shared/ports/clock.js';
import type { SessionFault } from '../driver.js';
import { serialMessage } from '../messages.js';

/** A line with this many invalid frames per second is considered unusable. */
const LIMIT = 10;
const WINDOW_MS = 1000;

export const LINE_NOISE: SessionFault = {
  code: 'LINE_NOISE',
  text: serialMessage('noise', { frames: LIMIT }),
};

export class NoiseMeter {
  readonly #clock: Clock;
  #broken: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an invalid frame; returns true and resets the count when the limit is reached. */
  isTooMuch(): boolean {
    const now = this.#clock.now();
    this.#broken = [...this.#broken.filter((at) => now - at < WINDOW_MS), now];
    if (this.#broken.length < LIMIT) return false;
    this.#broken = [];
    return true;
  }
}
