import { errorText } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { Signal } from '../../shared/signal.js';
import { safetyMessage } from './messages.js';

/** 300 ms of a control loop that runs every 50 ms: longer than a pulsed circuit and its contactor take to follow. */
const CHECKS = 6;

/** Compares the power that the motors were given with the power that they have: a contactor that has welded shut shows by it. */
export class ContactorWatch {
  #pins: SafetyPins;
  #isOn: () => boolean;
  #disagreed = 0;
  #fault: Text = '';
  #broke = new Signal<[Text]>();

  /** `isOn`: what the motors were told. */
  constructor(pins: SafetyPins, isOn: () => boolean) {
    this.#pins = pins;
    this.#isOn = isOn;
  }

  /** Called once when the two begin to differ for too long; the cause is a sentence for people. */
  readonly onFault = this.#broke.on.bind(this.#broke);

  /** What is wrong; empty while the two agree. */
  get fault(): Text {
    return this.#fault;
  }

  /** Checks are counted and not timed: a loop that was late pulses late, and its contactor drops with good reason. */
  check(): void {
    const trouble = this.#trouble();
    this.#disagreed = trouble === '' ? 0 : this.#disagreed + 1;
    const before = this.#fault;
    if (this.#disagreed === 0) this.#fault = '';
    else if (this.#disagreed >= CHECKS) this.#fault = trouble;
    if (this.#fault !== '' && before === '') this.#broke.emit(this.#fault);
  }

  #trouble(): Text {
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
