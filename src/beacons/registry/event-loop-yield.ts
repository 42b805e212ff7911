/**
 * Lets long work go on one piece a turn of the event loop, whoever it is for: however many long answers there are, between
 * two pieces everybody else has a turn.
 */
export class Pace {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in a later turn that nobody else was given. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#wake();
    });
  }

  #wake(): void {
    setImmediate(() => {
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#wake();
    });
  }
}
