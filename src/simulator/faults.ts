/** What can be made to go wrong, and the argument of each verb when none is given. */
const VERBS = {
  /** Says nothing; still hears. */
  mute: 0,
  /** Swallows the next n ACK or NACK frames. */
  dropAck: 1,
  /** Flips one bit of an outgoing frame, with this probability. */
  corrupt: 0.5,
  /** Starts anew, at once, with a greeting in plain text. */
  reset: 0,
  /** Sends everything this many ms late. */
  slow: 200,
  /** The wheels do not turn. */
  stall: 0,
  /** Sends random bytes every this many ms. */
  noise: 50,
  /** The battery reads this many mV. */
  lowBattery: 21_000,
  /** The motors read this many degrees Celsius. */
  hot: 95,
} as const;

export type FaultVerb = keyof typeof VERBS;

export const FAULT_VERBS = Object.keys(VERBS) as FaultVerb[];

/** Whether `text` names a fault verb. */
export function isFaultVerb(text: string): text is FaultVerb {
  return text in VERBS;
}

/** Which faults are on, and how strongly. */
export class FaultPanel {
  readonly #on = new Map<FaultVerb, number>();

  set(verb: FaultVerb, on: boolean, argument: number = VERBS[verb]): void {
    if (on) this.#on.set(verb, argument);
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
