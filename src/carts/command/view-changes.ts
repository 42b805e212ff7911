import type { Clock } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';
import type { CartView } from './model.js';

/**
 * Minimum interval between notifications of changed numbers. With 50 ms for the control loop and 50 ms for event
 * batching, the maximum delay on a page is 500 ms.
 */
const NUMBERS_MS = 400;

/** Publishes changes to a stationary cart's numbers at most every 400 ms and other changes immediately. */
export class ViewChanges {
  #view: () => CartView;
  #clock: Clock;
  #text = '';
  #publishedText = '';
  /** True if the view has changed since the last notification, even if it has changed back. */
  #isDue = false;
  #publishedMs = Number.NEGATIVE_INFINITY;
  #change = new Signal();

  constructor(view: () => CartView, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
  }

  readonly onChange = this.#change.on.bind(this.#change);

  /** Called after possible changes, and by the control loop to publish delayed changes. */
  check(): void {
    const view = this.#view();
    const now = this.#clock.now();
    const text = textOf(view);
    // Listeners read the view some time after the notification, so they may have read an intermediate value.
    if (text !== this.#text) this.#isDue = true;
    this.#text = text;
    if (!this.#isDue) return;
    const withoutNumbers = textWithoutNumbers(view, text);
    const mayWait = !view.moving && withoutNumbers === this.#publishedText;
    if (mayWait && now - this.#publishedMs < NUMBERS_MS) return;
    this.#isDue = false;
    this.#publishedText = withoutNumbers;
    this.#publishedMs = now;
    this.#change.emit();
  }
}

/** Returns the view's JSON without the age and the frame counters, which change constantly. */
function textOf({ ageMs: _age, link, ...view }: CartView): string {
  if (!link) return JSON.stringify(view);
  const { counters: _counters, ...rest } = link;
  return JSON.stringify([view, rest]);
}

/** Returns the view's JSON without its numbers, followed by the time of the stop and the command ID. */
function textWithoutNumbers({ safety, commandId }: CartView, text: string): string {
  return `${text.replace(/-?\d+(\.\d+)?/g, '')} ${safety.stoppedAt} ${commandId}`;
}
