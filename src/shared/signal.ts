import type { Cancel } from './ports/clock.js';

export class Signal<T extends unknown[] = []> {
  #listeners = new Set<(...args: T) => void>();

  on(listener: (...args: T) => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listeners in order. Adding or removing a listener during the call affects only later calls. */
  emit(...args: T): void {
    for (const listener of [...this.#listeners]) listener(...args);
  }

  /** Calls every listener, even if one of them throws. Returns what the listeners threw. */
  emitToAll(...args: T): unknown[] {
    const thrown: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(...args);
      } catch (error) {
        thrown.push(error);
      }
    }
    return thrown;
  }
}
