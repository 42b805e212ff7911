import type { SafetyPins } from '../../shared/ports/pins.js';
import type { GpioSettings } from './settings-schema.js';

/**
 * In `pulse` mode, the motors switch off when the pulses stop. In `level` mode, the level can outlast the process.
 */
export class MotorEnable {
  #pins: SafetyPins;
  #mode: () => GpioSettings['enable']['mode'];
  #on = false;
  #level = false;

  constructor(pins: SafetyPins, mode: () => GpioSettings['enable']['mode']) {
    this.#pins = pins;
    this.#mode = mode;
  }

  get on(): boolean {
    return this.#on;
  }

  /** If the write fails or a stop occurs during the write, the output is off and stays off until the next call. */
  switchOn(): void {
    this.#on = true;
    this.#write(true);
  }

  switchOff(): void {
    this.#on = false;
    this.#write(false);
  }

  /** Called on every iteration of the control loop; toggles the output in `pulse` mode. */
  tick(): void {
    if (this.#on && this.#mode() === 'pulse') this.#write(!this.#level);
  }

  #write(level: boolean): void {
    this.#level = level;
    try {
      this.#pins.writeEnable(level);
    } catch (error) {
      this.#on = false;
      throw error;
    } finally {
      // A failed write normally does not throw but latches the E-stop, which calls `switchOff` before it returns.
      if (level && !this.#on) this.#write(false);
    }
  }
}
