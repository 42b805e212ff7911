import type { Cancel } from '../../src/shared/ports/clock.js';
import { FakeClock } from './fake-clock.js';

/** A fake clock on which a test can await the next one-off timer instead of sleeping. */
export class ObservableClock extends FakeClock {
  #onTimer: () => void = () => {};

  override after(delayMs: number, run: () => void): Cancel {
    const cancel = super.after(delayMs, run);
    this.#onTimer();
    return cancel;
  }

  nextTimer(): Promise<void> {
    return new Promise((resolve) => {
      this.#onTimer = resolve;
    });
  }
}
