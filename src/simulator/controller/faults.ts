interface Verb {
  defaultValue: number;
  min: number;
  max: number;
}

/** Injectable faults with their argument ranges. */
const VERBS = {
  /** Sends nothing, but still receives. */
  mute: { defaultValue: 0, min: 0, max: 0 },
  /** Drops the next `n` ACK or NACK frames. */
  dropAck: { defaultValue: 1, min: 1, max: 1_000_000 },
  /** Probability that one bit of an outgoing chunk is flipped. */
  corrupt: { defaultValue: 0.5, min: 0, max: 1 },
  /** Restarts immediately and sends the startup text. */
  reset: { defaultValue: 0, min: 0, max: 0 },
  /** Delay of all output, in ms. */
  slow: { defaultValue: 200, min: 0, max: 60_000 },
  stall: { defaultValue: 0, min: 0, max: 0 },
  /** Interval in ms between random bytes. */
  noise: { defaultValue: 50, min: 1, max: 60_000 },
  /** Reported battery voltage in mV. */
  lowBattery: { defaultValue: 21_000, min: 0, max: 65_535 },
  /** Reported motor temperature in °C. */
  hot: { defaultValue: 95, min: -127, max: 127 },
} as const satisfies Record<string, Verb>;

export type FaultVerb = keyof typeof VERBS;

export const FAULT_VERBS = Object.keys(VERBS) as FaultVerb[];

export function isFaultVerb(text: string): text is FaultVerb {
  return Object.hasOwn(VERBS, text);
}

export class FaultPanel {
  readonly #on = new Map<FaultVerb, number>();

  /** Sets or clears a fault. The argument is clamped to its range; NaN selects the default. */
  set(verb: FaultVerb, on: boolean, argument?: number): void {
    const { defaultValue, min, max } = VERBS[verb];
    const value = argument === undefined || Number.isNaN(argument) ? defaultValue : argument;
    if (on) this.#on.set(verb, Math.max(min, Math.min(max, value)));
    else this.#on.delete(verb);
  }

  has(verb: FaultVerb): boolean {
    return this.#on.has(verb);
  }

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
