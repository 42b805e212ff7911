import type { Clock } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';
import type { CartView } from './model.js';

/** With the 50 ms of a turn and the 50 ms for which events are gathered, a page is never more than 500 ms behind. */
const NUMBERS_MS = 400;

/**
 * Finds out when the view of a cart has changed by comparing it with the one before, so that no source of a change can
 * be forgotten. Any change is published at once, except that numbers alone (voltage, temperatures) of a cart at rest
 * are published at most every 400 ms.
 */
export class ViewChanges {
  #view: () => CartView;
  #clock: Clock;
  #published = '';
  #publishedWords = '';
  #publishedMs = Number.NEGATIVE_INFINITY;
  #change = new Signal();

  constructor(view: () => CartView, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
  }

  readonly onChange = this.#change.on.bind(this.#change);

  /** Called whenever something may have changed, and in every turn of the control loop: that publishes what had to wait. */
  check(): void {
    const view = this.#view();
    const now = this.#clock.now();
    const text = textOf(view);
    if (text === this.#published) return;
    const words = wordsOf(view, text);
    const mayWait = !view.moving && words === this.#publishedWords;
    if (mayWait && now - this.#publishedMs < NUMBERS_MS) return;
    this.#published = text;
    this.#publishedWords = words;
    this.#publishedMs = now;
    this.#change.emit();
  }
}

/** A view without what always grows: its age, which beats carry, and the counts of frames, which no open page shows. */
function textOf({ ageMs: _age, link, ...view }: CartView): string {
  if (!link) return JSON.stringify(view);
  const { counters: _counters, ...rest } = link;
  return JSON.stringify([view, rest]);
}

/** Everything but the numbers, which are also in sentences such as "a motor is at 95 °C". */
function wordsOf({ safety, commandId }: CartView, text: string): string {
  return `${text.replace(/-?\d+(\.\d+)?/g, '')} ${safety.stoppedAt} ${commandId}`;
}
