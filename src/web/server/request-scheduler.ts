import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { FairQueue } from '../../shared/queues.js';

/** Work of handlers in one turn of the event loop, in ms; timers and sockets get their turn after it. */
const TURN_MS = 3;
/** The same in a turn that has accepted a connection: Node accepts one per turn, and a stop may wait behind hundreds. */
const ACCEPT_TURN_MS = 0.3;
/** An anonymous request that has waited for so long is refused: its client has given up or asks too much. */
const SHED_MS = 2000;
/** While named callers wait, one request in so many is anonymous, so that logins go on. */
const ANONYMOUS_SHARE = 4;

/**
 * `stop` is handled at once, `named` before `anonymous`. `key` is what shares are counted by: one person, one API key or
 * one address.
 */
export interface Caller {
  rank: 'stop' | 'named' | 'anonymous';
  key: string;
}

interface SchedulerOptions {
  handle: RequestListener;
  /** Called only for requests that cannot be handled at once. */
  callerOf: (req: IncomingMessage) => Caller;
  /** Answers a request that has waited too long. */
  shed: RequestListener;
  now?: () => number;
}

interface Waiting {
  req: IncomingMessage;
  res: ServerResponse & { req: IncomingMessage };
  sinceMs: number;
}

/**
 * Shares the event loop among requests. While there is little to do every request is handled where it arrives, which
 * costs less than 1 µs; beyond `TURN_MS` of work in one turn the rest waits, and each caller gets one request in turn.
 */
export class RequestScheduler {
  readonly #o: SchedulerOptions;
  readonly #now: () => number;
  readonly #named = new FairQueue<Waiting>();
  readonly #anonymous = new FairQueue<Waiting>();
  #isTurnOpen = false;
  #turnMs = TURN_MS;
  #turnEndsAt = 0;
  #served = 0;

  constructor(o: SchedulerOptions) {
    this.#o = o;
    this.#now = o.now ?? (() => performance.now());
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return this.#named.size + this.#anonymous.size;
  }

  /** Handles a request now, or in a later turn of the event loop. */
  readonly admit = (req: IncomingMessage, res: Waiting['res']): void => {
    const now = this.#now();
    if (!this.#isTurnOpen) this.#openTurn(now);
    if (now < this.#turnEndsAt && this.waiting === 0) return void this.#o.handle(req, res);
    const { rank, key } = this.#o.callerOf(req);
    if (rank === 'stop') return void this.#o.handle(req, res);
    const queue = rank === 'named' ? this.#named : this.#anonymous;
    queue.push(key, { req, res, sinceMs: now });
  };

  /** Call for each accepted connection: this turn ends sooner, so that the next connection is accepted sooner. */
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
      // Nobody waits for the response of a closed connection.
      if (next.req.socket.destroyed) continue;
      if (at - next.sinceMs > SHED_MS && next.isAnonymous) this.#o.shed(next.req, next.res);
      else this.#o.handle(next.req, next.res);
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

const SHED_BODY = JSON.stringify({
  error: 'Not available',
  message: 'the gateway has more to do than it can',
  code: 'OVERLOADED',
  hint: 'Try again in a few seconds. Log in to be served first.',
});

/** Refuses a request at the least possible cost. */
export const shed: RequestListener = (_req, res) => {
  res.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(SHED_BODY),
    'retry-after': '5',
  });
  res.end(SHED_BODY);
};
