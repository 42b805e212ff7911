interface Verb {
  defaultValue: number;
  min: number;
  max: number;
}

/** Faults that can be injected, with the ranges of their arguments. */
const VERBS = {
  /** Sends nothing, but still receives. */
  mute: { defaultValue: 0, min: 0, max: 0 },
  /** Drops the next `n` ACK or NACK frames. */
  dropAck: { defaultValue: 1, min: 1, max: 1_000_000 },
  /** Flips one bit of an outgoing chunk with this probability. */
  corrupt: { defaultValue: 0.5, min: 0, max: 1 },
  /** Restarts immediately and sends the startup text. */
  reset: { defaultValue: 0, min: 0, max: 0 },
  /** Delays all output by this number of ms. */
  slow: { defaultValue: 200, min: 0, max: 60_000 },
  stall: { defaultValue: 0, min: 0, max: 0 },
  /** Sends random bytes at this interval (ms). */
  noise: { defaultValue: 50, min: 1, max: 60_000 },
  /** Battery voltage to be reported, mV. */
  lowBattery: { defaultValue: 21_000, min: 0, max: 65_535 },
  /** Motor temperature to be reported, °C. */
  hot: { defaultValue: 95, min: -127, max: 127 },
} as const satisfies Record<string, Verb>;

export type FaultVerb = keyof typeof VERBS;

export const FAULT_VERBS = Object.keys(VERBS) as FaultVerb[];

export function isFaultVerb(text: string): text is FaultVerb {
  return Object.hasOwn(VERBS, text);
}

export class FaultPanel {
  readonly #on = new Map<FaultVerb, number>();

  /** Activates or deactivates a fault. Clamps the argument to the verb's range; NaN selects the default. */
  set(verb: FaultVerb, on: boolean, argument?: number): void {
    const { defaultValue, min, max } = VERBS[verb];
    const value = argument === undefined || Number.isNaN(argument) ? defaultValue : argument;
    if (on) this.#on.set(verb, Math.max(min, Math.min(max, value)));
    else this.#on.delete(verb);
  }

  has(verb: FaultVerb): boolean {
    return this.#on.has(verb);
  }

  /** Returns the fault's argument if the fault is active, otherwise undefined. */
  argument(verb: FaultVerb): number | undefined {
    return this.#on.get(verb);
  }

  /** Decrements a fault's count. Returns false if the count was already 0. */
  consume(verb: FaultVerb): boolean {
    const left = this.#on.get(verb) ?? 0;
    if (left <= 1) this.#on.delete(verb);
    else this.#on.set(verb, left - 1);
    return left > 0;
  }

  list(): FaultVerb[] {
    return [...this.#on.keys()];
  }
}
