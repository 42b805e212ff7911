import type { Cancel } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';

/** Emits the E-stop input's edges one by one, each with its own level. */
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

  /** Level of the edge being emitted, if any; after a short press, the pin may already have another level. */
  get current(): boolean | undefined {
    return this.#current;
  }

  get last(): boolean {
    return this.#last;
  }

  /**
   * Emits the edges that lead to a new reading. If two successive readings are healthy, the circuit was open in
   * between, so both edges are emitted.
   */
  record(healthy: boolean): void {
    if (healthy && this.#last) this.#emit(false);
    this.#emit(healthy);
  }

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
