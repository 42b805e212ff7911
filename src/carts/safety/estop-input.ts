import { errorText, hintOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { Signal } from '../../shared/signal.js';
import type { SafetyView } from '../command/model.js';
import { safetyMessage } from './messages.js';

/** Backs up an edge that the kernel or the driver lost. */
const POLL_MS = 20;
/** So many edges in a second that all read back healthy: a loose contact, and a loose contact is a stop. */
const GLITCHES = 3;
const GLITCH_WINDOW_MS = 1000;

/**
 * The emergency-stop input. Asserted on the first low reading, in the interrupt or in the poll, without debouncing:
 * chatter must not postpone a stop. Only the release is debounced, by `healthySinceMs`.
 */
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

  /** Called, before anything else, each time the input says stop; the cause is a sentence for people. */
  readonly onAsserted = this.#asserted.on.bind(this.#asserted);

  get state(): SafetyView['input'] {
    return this.#state;
  }

  /** Why the input cannot be read; empty when it can. */
  get fault(): Text {
    return this.#fault;
  }

  /** What to do about it; empty when that is not known. */
  get hint(): Text {
    return this.#hint;
  }

  /** Since when the input has been healthy without a break; infinity while it is not. */
  get healthySinceMs(): number {
    return this.#healthySinceMs;
  }

  start(): void {
    if (this.#pins.kind === 'none') {
      this.#become('off');
      this.#tell();
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
    // Each edge of a long burst would send one more frame and fill the output buffer of the line.
    this.#glitches = [];
    this.#asserted.emit(safetyMessage('input-chatters'));
  }

  #sample(): void {
    const before = this.#state;
    try {
      this.#become(this.#pins.readEstopHealthy() ? 'healthy' : 'asserted');
      if (this.#state === 'asserted' && before !== 'asserted') this.#asserted.emit(safetyMessage('button'));
    } catch (error) {
      this.#hint = hintOf(error);
      this.#become('unavailable', errorText(error));
      // Never readable is a fault of the installation; no longer readable is a cut wire, and that is a stop.
      if (before === 'healthy' || before === 'asserted') {
        this.#asserted.emit(safetyMessage('input-lost', { reason: errorText(error) }));
      }
    }
    // First the stop, then the words.
    if (this.#state !== before) this.#tell();
  }

  #become(state: SafetyView['input'], fault: Text = ''): void {
    this.#fault = fault;
    if (state === this.#state) return;
    this.#state = state;
    this.#healthySinceMs = state === 'healthy' ? this.#clock.now() : Number.POSITIVE_INFINITY;
  }

  #tell(): void {
    const level = this.#state === 'healthy' ? 'info' : 'warn';
    this.#log[level]('estop_input.changed', { state: this.#state, fault: this.#fault });
  }
}
