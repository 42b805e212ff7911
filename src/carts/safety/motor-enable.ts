import type { SafetyPins } from '../../shared/ports/pins.js';
import type { GpioSettings } from './settings-schema.js';

/** In `pulse` mode, the motors switch off when the pulses stop; a constant level can outlast the process. */
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

  switchOn(): void {
    // If the write fails, `#on` stays false, so that the next call writes again.
    this.#write(true);
    this.#on = true;
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
    this.#pins.writeEnable(level);
    this.#level = level;
  }
}
