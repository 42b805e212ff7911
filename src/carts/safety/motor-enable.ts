import type { SafetyPins } from '../../shared/ports/pins.js';
import type { GpioSettings } from './settings-schema.js';

/**
 * The motor-enable output. In `pulse` mode the control loop toggles it, and an external circuit drops when the pulses
 * end, because a constant level outlives the process that set it.
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
    // A failed write leaves it off, so that the next call writes again.
    this.#write(true);
    this.#on = true;
  }

  /** Takes effect before this returns. */
  switchOff(): void {
    this.#on = false;
    this.#write(false);
  }

  /** Toggles the pulse; called from the control loop. */
  tick(): void {
    if (this.#on && this.#mode() === 'pulse') this.#write(!this.#level);
  }

  #write(level: boolean): void {
    this.#pins.writeEnable(level);
    this.#level = level;
  }
}
