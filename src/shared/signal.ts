import type { Cancel } from './ports/clock.js';

export class Signal<T extends unknown[] = []> {
  /** Replaced when it changes, so that `emit` needs no copy: the control loop emits several times in each cycle. */
  #listeners: readonly ((...args: T) => void)[] = [];

  on(listener: (...args: T) => void): Cancel {
    if (!this.#listeners.includes(listener)) this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /** Calls the listeners in order. Adding or removing a listener during the call affects only later calls. */
  emit(...args: T): void {
    for (const listener of this.#listeners) listener(...args);
  }

  /** Calls every listener, even if one of them throws. Returns what the listeners threw. */
  emitToAll(...args: T): unknown[] {
    const thrown: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(...args);
      } catch (error) {
        thrown.push(error);
      }
    }
    return thrown;
  }
}
