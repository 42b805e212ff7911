import type { Cancel } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';

/** Emits the E-stop input's edges one by one, each with the level that belongs to it. */
export class EstopEdges {
  #edge = new Signal();
  #last: boolean;
  #current: boolean | undefined;

  constructor(healthy: boolean) {
    this.#last = healthy;
  }

  on(listener: () => void): Cancel {
    return this.#edge.on(listener);
  }

  /**
   * The level of the edge that is being emitted; undefined at other times. After a short press, the pin
   * itself may already have changed back.
   */
  get current(): boolean | undefined {
    return this.#current;
  }

  get last(): boolean {
    return this.#last;
  }

  /**
   * Two healthy readings in a row mean that the circuit opened and closed in between. In this case, emits
   * both edges.
   */
  record(healthy: boolean): void {
    if (healthy && this.#last) this.#emit(false);
    this.#emit(healthy);
  }

  /** Notifies the listeners that every reading of the input now throws. */
  alarm(): void {
    this.#edge.emit();
  }

  #emit(healthy: boolean): void {
    this.#last = healthy;
    this.#current = healthy;
    try {
      this.#edge.emit();
    } finally {
      this.#current = undefined;
    }
  }
}
