import type { Cancel, Clock } from '../../src/shared/ports/clock.js';
import { SimulatedController } from '../../src/simulator/controller/controller.js';

/**
 * Delays before the Arduino Mega 2560's stock boot loader (stk500boot_v2) starts the firmware, measured in a
 * cycle-accurate simulation of its hex file.
 */
const SILENCE_MS = { afterReset: 833, afterByte: 5000 };

/** A simulated controller on an Arduino Mega 2560 with the stock boot loader, initially powered off. */
export class Arduino {
  readonly controller: SimulatedController;
  /** Number of bytes that reached the boot loader, and so delayed the start of the firmware. */
  swallowed = 0;
  readonly #clock: Clock;
  #starting: Cancel | undefined;

  constructor(clock: Clock, dialect: 'cgw1' | 'json-lines' = 'cgw1') {
    this.#clock = clock;
    this.controller = new SimulatedController({ clock, dialect, bootMs: 0 });
    this.controller.power(false);
  }

  /** Resets the board, as opening its port does, and starts the boot loader. */
  reset(): void {
    this.controller.power(false);
    this.#startAfter(SILENCE_MS.afterReset);
  }

  receive(bytes: Uint8Array): void {
    if (!this.#starting) return this.controller.receive(bytes);
    this.swallowed += bytes.length;
    this.#startAfter(SILENCE_MS.afterByte);
  }

  onSend(listener: (bytes: Uint8Array) => void): Cancel {
    return this.controller.onSend(listener);
  }

  close(): void {
    this.#starting?.();
    this.controller.close();
  }

  #startAfter(silenceMs: number): void {
    this.#starting?.();
    this.#starting = this.#clock.after(silenceMs, () => {
      this.#starting = undefined;
      this.controller.power(true);
    });
  }
}
