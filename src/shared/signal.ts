import type { Cancel } from './ports/clock.js';

/** A list of listeners for one kind of event: smaller and better typed than an EventEmitter. */
export class Signal<T extends unknown[] = []> {
  #listeners = new Set<(...args: T) => void>();

  /** Adds a listener; the answer takes it away again. */
  on(listener: (...args: T) => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls every listener that is there now, in the order in which they came. */
  emit(...args: T): void {
    for (const listener of [...this.#listeners]) listener(...args);
  }
}
