import type { SafetyPins } from '../../shared/ports/pins.js';
import type { GpioSettings } from './settings-schema.js';

/**
 * The motor-enable output. In `pulse` mode, the control loop toggles the output, and an external circuit
 * switches the motors off when the pulses end. A constant level would stay set after the process that set it
 * has ended.
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

  switchOn(): void {
    // If the write fails, `#on` stays false, so that the next call writes again.
    this.#write(true);
    this.#on = true;
  }

  /** Switches the output off before this method returns. */
  switchOff(): void {
    this.#on = false;
    this.#write(false);
  }

  /** Called on every iteration of the control loop. Toggles the output in `pulse` mode. */
  tick(): void {
    if (this.#on && this.#mode() === 'pulse') this.#write(!this.#level);
  }

  #write(level: boolean): void {
    this.#pins.writeEnable(level);
    this.#level = level;
  }
}
