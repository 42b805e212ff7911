import { FairQueue } from './queues.js';

/** Maximum time in ms for inputs of all protocols per event-loop iteration. */
const TURN_MS = 3;
/**
 * Like `TURN_MS`, after a new connection. Shorter, because Node accepts one connection per iteration, and
 * hundreds may be waiting ahead of a stop.
 */
const ACCEPT_TURN_MS = 0.3;
/** Anonymous inputs that have waited longer are rejected: their clients have probably given up. */
const SHED_MS = 2000;
/** While named callers wait, one in this many inputs is anonymous, so that logins still work. */
const ANONYMOUS_SHARE = 4;

/** `named` inputs are handled before `anonymous` ones. Each `key` (user, API key or address) gets an equal share. */
export interface Source {
  rank: 'named' | 'anonymous';
  key: string;
}

/** One request, packet or message. */
export interface Input {
  run(): void;
  /** True if the client has disconnected, so that the input is dropped. */
  isGone?(): boolean;
  /** Rejects an anonymous input that has waited too long. If omitted, the input is handled late. */
  shed?(): void;
}

interface Waiting {
  input: Input;
  sinceMs: number;
}

/**
 * Divides the time for the inputs of all protocols fairly among clients. After `TURN_MS` of work per
 * event-loop iteration, inputs are queued and served round-robin, so that the control loop is never late.
 */
export class InputScheduler {
  readonly #now: () => number;
  readonly #named = new FairQueue<Waiting>();
  readonly #anonymous = new FairQueue<Waiting>();
  #isTurnOpen = false;
  #turnMs = TURN_MS;
  #turnEndsAt = 0;
  #served = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get waiting(): number {
    return this.#named.size + this.#anonymous.size;
  }

  /** Returns true if an input can be handled immediately. Costs less than 1 µs. */
  hasTime(): boolean {
    const now = this.#now();
    if (!this.#isTurnOpen) this.#openTurn(now);
    return now < this.#turnEndsAt && this.waiting === 0;
  }

  queue({ rank, key }: Source, input: Input): void {
    const now = this.#now();
    if (!this.#isTurnOpen) this.#openTurn(now);
    const queue = rank === 'named' ? this.#named : this.#anonymous;
    queue.push(key, { input, sinceMs: now });
  }

  /** Must be called for each accepted connection, so that the next connection is accepted sooner. */
  readonly accepted = (): void => {
    this.#turnMs = ACCEPT_TURN_MS;
    this.#turnEndsAt = Math.min(this.#turnEndsAt, this.#now() + ACCEPT_TURN_MS);
  };

  #openTurn(now: number): void {
    this.#isTurnOpen = true;
    this.#turnEndsAt = now + this.#turnMs;
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isTurnOpen = false;
    if (this.waiting === 0) {
      this.#turnMs = TURN_MS;
      return;
    }
    const now = this.#now();
    this.#openTurn(now);
    this.#turnMs = TURN_MS;
    for (let at = now; at < this.#turnEndsAt; at = this.#now()) {
      const next = this.#next();
      if (!next) return;
      const { input, sinceMs, isAnonymous } = next;
      if (input.isGone?.()) continue;
      if (isAnonymous && input.shed && at - sinceMs > SHED_MS) input.shed();
      else input.run();
    }
  };

  #next(): (Waiting & { isAnonymous: boolean }) | undefined {
    this.#served += 1;
    const anonymousFirst = this.#served % ANONYMOUS_SHARE === 0;
    const order = anonymousFirst ? [this.#anonymous, this.#named] : [this.#named, this.#anonymous];
    for (const queue of order) {
      const next = queue.shift();
      if (next) return { ...next, isAnonymous: queue === this.#anonymous };
    }
    return undefined;
  }
}

/** The scheduler of this process's event loop, which all servers and connections share. */
export const processInputs = new InputScheduler();
