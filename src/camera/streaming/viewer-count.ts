import type { Cancel, Clock } from '../../shared/ports/ports.js';

/**
 * Keeps something running while anybody holds it, and a little longer: a page that polls lets go and comes back many
 * times a second.
 */
export class ViewerCount {
  readonly #want: () => Cancel;
  readonly #clock: Clock;
  readonly #lingerMs: number;
  #holders = 0;
  #release: Cancel | undefined;
  #timer: Cancel | undefined;

  constructor(want: () => Cancel, { clock, lingerMs }: { clock: Clock; lingerMs: number }) {
    this.#want = want;
    this.#clock = clock;
    this.#lingerMs = lingerMs;
  }

  hold(): Cancel {
    this.#timer?.();
    this.#timer = undefined;
    this.#release ??= this.#want();
    this.#holders += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0 && this.#release)
        this.#timer = this.#clock.after(this.#lingerMs, () => this.close());
    };
  }

  /** Lets go now. */
  close(): void {
    this.#timer?.();
    this.#timer = undefined;
    this.#release?.();
    this.#release = undefined;
  }
}
