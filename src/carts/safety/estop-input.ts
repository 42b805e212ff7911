import { errorText, hintOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { Signal } from '../../shared/signal.js';
import type { SafetyView } from '../command/model.js';
import { safetyMessage } from './messages.js';

/** Polling finds edges that the kernel or the driver has missed. */
const POLL_MS = 20;
/** This many edges within 1 s indicate a loose contact, so the cart is stopped. */
const GLITCHES = 3;
const GLITCH_WINDOW_MS = 1000;

/** Only the release is debounced (`healthySinceMs`), so that contact bounce cannot delay a stop. */
export class EstopInput {
  #pins: SafetyPins;
  #clock: Clock;
  #log: Log;
  #state: SafetyView['input'] = 'unavailable';
  #fault: Text = safetyMessage('input-not-read');
  #hint: Text = '';
  #healthySinceMs = Number.POSITIVE_INFINITY;
  #glitches: number[] = [];
  #cancels: Cancel[] = [];
  #asserted = new Signal<[Text]>();

  constructor({ pins, clock, log }: { pins: SafetyPins; clock: Clock; log: Log }) {
    this.#pins = pins;
    this.#clock = clock;
    this.#log = log;
  }

  /** Emitted with the cause when the input becomes asserted, before anything else is done. */
  readonly onAsserted = this.#asserted.on.bind(this.#asserted);

  get state(): SafetyView['input'] {
    return this.#state;
  }

  get fault(): Text {
    return this.#fault;
  }

  get hint(): Text {
    return this.#hint;
  }

  /** The start of the current healthy period; infinity while the input is not healthy. */
  get healthySinceMs(): number {
    return this.#healthySinceMs;
  }

  start(): void {
    if (this.#pins.kind === 'none') {
      this.#setState('off');
      this.#logState();
      return;
    }
    this.#sample();
    this.#cancels.push(
      this.#pins.onEstopEdge(() => this.#onEdge()),
      this.#clock.every(POLL_MS, () => this.#sample()),
    );
  }

  close(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
  }

  #onEdge(): void {
    this.#sample();
    if (this.#state !== 'healthy') return;
    const now = this.#clock.now();
    this.#healthySinceMs = now;
    this.#glitches = [...this.#glitches.filter((at) => now - at < GLITCH_WINDOW_MS), now];
    if (this.#glitches.length < GLITCHES) return;
    // Resets the count, so that a long burst of edges does not fill the serial line's output buffer.
    this.#glitches = [];
    this.#asserted.emit(safetyMessage('input-chatters'));
  }

  #sample(): void {
    const before = this.#state;
    const failure = this.#read();
    if (this.#state === 'asserted' && before !== 'asserted') this.#asserted.emit(safetyMessage('button'));
    // Losing a readable input stops the cart; an input that has never been readable is an installation fault.
    if (failure !== undefined && (before === 'healthy' || before === 'asserted')) {
      this.#asserted.emit(safetyMessage('input-lost', { reason: failure }));
    }
    // Logging is done last, so that it cannot delay the stop.
    if (this.#state !== before) this.#logState();
  }

  #read(): Text | undefined {
    try {
      this.#setState(this.#pins.readEstopHealthy() ? 'healthy' : 'asserted');
      return undefined;
    } catch (error) {
      this.#hint = hintOf(error);
      this.#setState('unavailable', errorText(error));
      return this.#fault;
    }
  }

  #setState(state: SafetyView['input'], fault: Text = ''): void {
    this.#fault = fault;
    if (state === this.#state) return;
    this.#state = state;
    this.#healthySinceMs = state === 'healthy' ? this.#clock.now() : Number.POSITIVE_INFINITY;
  }

  #logState(): void {
    const level = this.#state === 'healthy' ? 'info' : 'warn';
    this.#log[level]('estop_input.changed', { state: this.#state, fault: this.#fault });
  }
}
