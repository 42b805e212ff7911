import type { Cancel } from '../../shared/ports/ports.js';
import { Signal } from '../../shared/signal.js';

/** The edges of the emergency-stop input, told one by one, each with the level that came with it. */
export class EstopEdges {
  #edge = new Signal();
  #last: boolean;
  #told: boolean | undefined;

  constructor(healthy: boolean) {
    this.#last = healthy;
  }

  on(listener: () => void): Cancel {
    return this.#edge.on(listener);
  }

  /** The level of the edge that is being told right now: by the time somebody reads the pin, a short press may be over. */
  get told(): boolean | undefined {
    return this.#told;
  }

  /** The level of the newest edge. */
  get last(): boolean {
    return this.#last;
  }

  /**
   * An edge that found the input so. Healthy after healthy are two edges in one: the circuit was open and is closed
   * again, so that a press that was shorter than our reaction is told all the same.
   */
  saw(healthy: boolean): void {
    if (healthy && this.#last) this.#tell(false);
    this.#tell(healthy);
  }

  /** The input can no longer be trusted: whoever listens reads it, and finds out. */
  alarm(): void {
    this.#edge.emit();
  }

  #tell(healthy: boolean): void {
    this.#last = healthy;
    this.#told = healthy;
    try {
      this.#edge.emit();
    } finally {
      this.#told = undefined;
    }
  }
}
