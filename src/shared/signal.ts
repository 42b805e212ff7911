import type { Cancel } from './ports/clock.js';

/** Typed listeners for one kind of event. */
export class Signal<T extends unknown[] = []> {
  #listeners = new Set<(...args: T) => void>();

  /** Adds a listener; the returned function removes it. */
  on(listener: (...args: T) => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls the listeners in the order in which they were added. Listeners added or removed during the call
   * take effect afterwards.
   */
  emit(...args: T): void {
    for (const listener of [...this.#listeners]) listener(...args);
  }
}
