/** Range of a fault's argument, and the value that is used without an argument. */
export interface FaultRange {
  defaultValue: number;
  min: number;
  max: number;
}

/** The faults that are on, with their arguments. */
export class FaultPanel<Verb extends string> {
  readonly #ranges: Readonly<Record<Verb, FaultRange>>;
  readonly #on = new Map<Verb, number>();

  constructor(ranges: Readonly<Record<Verb, FaultRange>>) {
    this.#ranges = ranges;
  }

  /** Sets or clears a fault. The argument is clamped to its range; NaN selects the default. */
  set(verb: Verb, on: boolean, argument?: number): void {
    const { defaultValue, min, max } = this.#ranges[verb];
    const value = argument === undefined || Number.isNaN(argument) ? defaultValue : argument;
    if (on) this.#on.set(verb, Math.max(min, Math.min(max, value)));
    else this.#on.delete(verb);
  }

  has(verb: Verb): boolean {
    return this.#on.has(verb);
  }

  argument(verb: Verb): number | undefined {
    return this.#on.get(verb);
  }

  /** Decrements a fault's count. Returns false if the count is already 0. */
  consume(verb: Verb): boolean {
    const left = this.#on.get(verb) ?? 0;
    if (left <= 1) this.#on.delete(verb);
    else this.#on.set(verb, left - 1);
    return left > 0;
  }

  list(): Verb[] {
    return [...this.#on.keys()];
  }
}
