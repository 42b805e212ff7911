interface Verb {
  /** The argument when none is given. */
  usual: number;
  min: number;
  max: number;
}

/** What can be made to go wrong, and what its argument may be. */
const VERBS = {
  /** Says nothing; still hears. */
  mute: { usual: 0, min: 0, max: 0 },
  /** Swallows the next n ACK or NACK frames. */
  dropAck: { usual: 1, min: 1, max: 1_000_000 },
  /** Flips one bit of an outgoing frame, with this probability. */
  corrupt: { usual: 0.5, min: 0, max: 1 },
  /** Starts anew, at once, with a greeting in plain text. */
  reset: { usual: 0, min: 0, max: 0 },
  /** Sends everything this many ms late. */
  slow: { usual: 200, min: 0, max: 60_000 },
  /** The wheels do not turn. */
  stall: { usual: 0, min: 0, max: 0 },
  /** Sends random bytes every this many ms. */
  noise: { usual: 50, min: 1, max: 60_000 },
  /** The battery reads this many mV. */
  lowBattery: { usual: 21_000, min: 0, max: 65_535 },
  /** The motors read this many degrees Celsius. */
  hot: { usual: 95, min: -127, max: 127 },
} as const satisfies Record<string, Verb>;

export type FaultVerb = keyof typeof VERBS;

export const FAULT_VERBS = Object.keys(VERBS) as FaultVerb[];

/** Whether `text` names a fault verb. */
export function isFaultVerb(text: string): text is FaultVerb {
  return Object.hasOwn(VERBS, text);
}

/** Which faults are on, and how strongly. */
export class FaultPanel {
  readonly #on = new Map<FaultVerb, number>();

  /** An argument beyond the verb's range is brought into it; one that is no number is the usual one. */
  set(verb: FaultVerb, on: boolean, argument?: number): void {
    const { usual, min, max } = VERBS[verb];
    const given = argument === undefined || Number.isNaN(argument) ? usual : argument;
    if (on) this.#on.set(verb, Math.max(min, Math.min(max, given)));
    else this.#on.delete(verb);
  }

  has(verb: FaultVerb): boolean {
    return this.#on.has(verb);
  }

  /** The argument of a fault that is on. */
  argument(verb: FaultVerb): number | undefined {
    return this.#on.get(verb);
  }

  /** Uses up one of a counted fault; false when there is none left. */
  spend(verb: FaultVerb): boolean {
    const left = this.#on.get(verb) ?? 0;
    if (left <= 1) this.#on.delete(verb);
    else this.#on.set(verb, left - 1);
    return left > 0;
  }

  /** The verbs that are on, for people. */
  list(): FaultVerb[] {
    return [...this.#on.keys()];
  }
}
