import { FairQueue } from './queues.js';

/** Maximum time in ms for inputs of all protocols per event-loop iteration. */
const TURN_MS = 3;
/**
 * Maximum time in ms spent accepting connections before anything else is handled. Node accepts one connection per
 * iteration, and hundreds may be waiting ahead of a stop: 500 take 50 ms alone, and 0.5 s or more if requests are
 * handled in between.
 */
const ACCEPT_MS = 10;
/** Connections that are set up per iteration. The first read of each follows in the next iteration. */
const MAX_SETUPS = 8;
/** Anonymous inputs that have waited longer are rejected, because their clients have probably given up. */
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
  /** Returns true if the client has disconnected, so that the input is dropped. */
  isGone?(): boolean;
  /** Rejects an anonymous input that has waited too long. If omitted, the input is handled late. */
  shed?(): void;
}

/** A connection that has been accepted, but not passed to its server. */
export interface AcceptedConnection {
  setUp(): void;
  /** Returns true if the connection has been closed, so that it is dropped. */
  isGone(): boolean;
  /** A TLS handshake takes up to 0.1 s on a Raspberry Pi, so at most one is started per iteration. */
  isSecure: boolean;
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
  readonly #accepted = new FairQueue<AcceptedConnection>();
  #isTurnOpen = false;
  #turnEndsAt = 0;
  #hasAccepted = false;
  #acceptingSinceMs: number | undefined;
  #served = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get waiting(): number {
    return this.#named.size + this.#anonymous.size;
  }

  /** Number of accepted connections that have not been set up yet. */
  get accepted(): number {
    return this.#accepted.size;
  }

  /** Returns true if an input can be handled immediately. Costs less than 1 µs. */
  hasTime(): boolean {
    const now = this.#now();
    if (!this.#isTurnOpen) this.#openTurn(now, TURN_MS);
    return now < this.#turnEndsAt && this.waiting === 0;
  }

  queue({ rank, key }: Source, input: Input): void {
    const now = this.#now();
    if (!this.#isTurnOpen) this.#openTurn(now, TURN_MS);
    const queue = rank === 'named' ? this.#named : this.#anonymous;
    queue.push(key, { input, sinceMs: now });
  }

  /**
   * Must be called for each accepted connection. Connections are set up round-robin by `key`, usually an address, so
   * that a client that opens many does not delay the others.
   */
  accept(key: string, connection: AcceptedConnection): void {
    const now = this.#now();
    if (!this.#isTurnOpen) this.#openTurn(now, 0);
    this.#turnEndsAt = now;
    this.#hasAccepted = true;
    this.#acceptingSinceMs ??= now;
    this.#accepted.push(key, connection);
  }

  #openTurn(now: number, turnMs: number): void {
    this.#isTurnOpen = true;
    this.#turnEndsAt = now + turnMs;
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isTurnOpen = false;
    const hasAccepted = this.#hasAccepted;
    this.#hasAccepted = false;
    const now = this.#now();
    // More connections may be waiting in the kernel.
    if (hasAccepted && now - (this.#acceptingSinceMs ?? now) < ACCEPT_MS) return this.#openTurn(now, 0);
    this.#acceptingSinceMs = undefined;
    if (this.waiting === 0 && this.#accepted.size === 0) return;
    this.#openTurn(now, TURN_MS);
    this.#setUpConnections();
    for (let at = now; at < this.#turnEndsAt; at = this.#now()) {
      const next = this.#next();
      if (!next) return;
      const { input, sinceMs, isAnonymous } = next;
      if (input.isGone?.()) continue;
      if (isAnonymous && input.shed && at - sinceMs > SHED_MS) input.shed();
      else input.run();
    }
  };

  #setUpConnections(): void {
    for (let setups = 0; setups < MAX_SETUPS; ) {
      const connection = this.#accepted.shift();
      if (!connection) return;
      if (connection.isGone()) continue;
      connection.setUp();
      if (connection.isSecure) return;
      setups += 1;
    }
  }

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
