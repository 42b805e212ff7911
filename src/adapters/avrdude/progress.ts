import type { FlashProgress } from '../../shared/ports/serial.js';

/** avrdude prints one `#` for every 2 % of a step. */
const PERCENT_PER_MARK = 2;
const BAR = /(Writing|Reading) \| (#*)/g;
/** Longer than any incomplete bar. */
const MAX_KEPT = 4096;

/**
 * Derives the progress from avrdude's error output. Each section has one bar for writing and one for
 * verifying. Reading the device's signature shows no bar, because the signature is only a few bytes long.
 */
export class ProgressParser {
  #text = '';
  #section = -1;
  #step: FlashProgress['step'] = 'verify';

  /** Returns the latest progress, or undefined if the text contains none. */
  push(text: string): FlashProgress | undefined {
    this.#text += text;
    let progress: FlashProgress | undefined;
    let restAt = 0;
    for (const { 0: bar, 1: label, 2: marks = '', index } of this.#text.matchAll(BAR)) {
      this.#enter(label === 'Writing' ? 'write' : 'verify');
      const percent = Math.min(100, marks.length * PERCENT_PER_MARK);
      if (this.#section >= 0) progress = { step: this.#step, section: this.#section, percent };
      // An incomplete bar is kept for the next piece of text.
      restAt = percent < 100 && index + bar.length === this.#text.length ? index : index + bar.length;
    }
    this.#text = this.#text.slice(restAt).slice(-MAX_KEPT);
    return progress;
  }

  /** Each section begins with the step `write`. */
  #enter(step: FlashProgress['step']): void {
    if (step === 'write' && this.#step === 'verify') this.#section += 1;
    this.#step = step;
  }
}
