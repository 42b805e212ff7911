import type { Clock } from '../../../shared/ports/clock.js';
import type { SessionFault } from '../driver.js';
import { serialMessage } from '../messages.js';

/** As many broken frames in a second mean a bad line: better no motion than motion on guesses. */
const LIMIT = 10;
const WINDOW_MS = 1000;

export const LINE_NOISE: SessionFault = {
  code: 'LINE_NOISE',
  text: serialMessage('noise', { frames: LIMIT }),
};

/** Counts what comes in broken. */
export class NoiseMeter {
  readonly #clock: Clock;
  #broken: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** One more; answers whether that was too much, and begins anew then. */
  isTooMuch(): boolean {
    const now = this.#clock.now();
    this.#broken = [...this.#broken.filter((at) => now - at < WINDOW_MS), now];
    if (this.#broken.length < LIMIT) return false;
    this.#broken = [];
    return true;
  }
}
