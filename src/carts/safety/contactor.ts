import { errorText } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { Signal } from '../../shared/signal.js';
import { safetyMessage } from './messages.js';

/** The checks take 300 ms, which is longer than the response time of a pulsed circuit and its contactor. */
const CHECKS = 6;

/** Detects a welded or open contactor by comparing the motor-enable output with the read-back motor power. */
export class ContactorWatch {
  #pins: SafetyPins;
  #isOn: () => boolean;
  #disagreed = 0;
  #fault: Text = '';
  #broke = new Signal<[Text]>();

  constructor(pins: SafetyPins, isOn: () => boolean) {
    this.#pins = pins;
    this.#isOn = isOn;
  }

  readonly onFault = this.#broke.on.bind(this.#broke);

  /** Empty while the motor-enable output and the motor power agree. */
  get fault(): Text {
    return this.#fault;
  }

  /**
   * Counts checks instead of measuring time: if the control loop is late, its pulses are also late, and the
   * contactor opens as intended.
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
