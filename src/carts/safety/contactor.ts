import { errorText } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { Signal } from '../../shared/signal.js';
import { safetyMessage } from './messages.js';

/**
 * Equals 300 ms with a 50 ms control loop, which is longer than the response time of a pulsed circuit and its
 * contactor.
 */
const CHECKS = 6;

/**
 * Compares the motor-enable output with the motor power that is read back, to detect a welded or open
 * contactor.
 */
export class ContactorWatch {
  #pins: SafetyPins;
  #isOn: () => boolean;
  #disagreed = 0;
  #fault: Text = '';
  #broke = new Signal<[Text]>();

  /** @param isOn returns the state of the motor-enable output. */
  constructor(pins: SafetyPins, isOn: () => boolean) {
    this.#pins = pins;
    this.#isOn = isOn;
  }

  /** Emitted once per fault, with its cause. */
  readonly onFault = this.#broke.on.bind(this.#broke);

  /** Empty while the output and the motor power agree. */
  get fault(): Text {
    return this.#fault;
  }

  /**
   * Counts checks, not time: if the control loop is late, its pulses are late too, and the contactor opens as
   * intended.
   */
  check(): void {
    const mismatch = this.#mismatch();
    this.#disagreed = mismatch === '' ? 0 : this.#disagreed + 1;
    const before = this.#fault;
    if (this.#disagreed === 0) this.#fault = '';
    else if (this.#disagreed >= CHECKS) this.#fault = mismatch;
    if (this.#fault !== '' && before === '') this.#broke.emit(this.#fault);
  }

  #mismatch(): Text {
    const isOn = this.#isOn();
    try {
      const powered = this.#pins.readPowered();
      if (powered === undefined || powered === isOn) return '';
      return safetyMessage(powered ? 'contactor-welded' : 'contactor-open');
    } catch (error) {
      return safetyMessage('contactor-unreadable', { reason: errorText(error) });
    }
  }
}
