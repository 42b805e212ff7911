import type { Clock } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';
import type { CartView } from './model.js';

/** With 50 ms for the control loop and 50 ms for event batching, a page lags by at most 500 ms. */
const NUMBERS_MS = 400;

/**
 * Detects changes by comparing a cart's view with the last published one, so that no source of changes is
 * missed. Changes are published at once, except that changed numbers (voltage, temperatures) of a stationary
 * cart are published at most every 400 ms.
 */
export class ViewChanges {
  #view: () => CartView;
  #clock: Clock;
  #published = '';
  #publishedText = '';
  #publishedMs = Number.NEGATIVE_INFINITY;
  #change = new Signal();

  constructor(view: () => CartView, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
  }

  readonly onChange = this.#change.on.bind(this.#change);

  /**
   * Called whenever the view may have changed, and on every iteration of the control loop to publish delayed
   * changes.
   */
  check(): void {
    const view = this.#view();
    const now = this.#clock.now();
    const text = textOf(view);
    if (text === this.#published) return;
    const withoutNumbers = textWithoutNumbers(view, text);
    const mayWait = !view.moving && withoutNumbers === this.#publishedText;
    if (mayWait && now - this.#publishedMs < NUMBERS_MS) return;
    this.#published = text;
    this.#publishedText = withoutNumbers;
    this.#publishedMs = now;
    this.#change.emit();
  }
}

/**
 * The view as JSON, except for the values that change constantly: the age, which is sent in `beat` events,
 * and the frame counters, which no live page shows.
 */
function textOf({ ageMs: _age, link, ...view }: CartView): string {
  if (!link) return JSON.stringify(view);
  const { counters: _counters, ...rest } = link;
  return JSON.stringify([view, rest]);
}

/**
 * The view's text without numbers, which also occur in messages such as "a motor is at 95 °C". The time of
 * the stop and the command id are kept.
 */
function textWithoutNumbers({ safety, commandId }: CartView, text: string): string {
  return `${text.replace(/-?\d+(\.\d+)?/g, '')} ${safety.stoppedAt} ${commandId}`;
}
