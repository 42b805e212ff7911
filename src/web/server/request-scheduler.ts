import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { FairQueue } from '../../shared/queues.js';

/** Maximum time in ms for request handlers per event-loop iteration. */
const TURN_MS = 3;
/**
 * Like `TURN_MS`, after a new connection. Shorter, because Node accepts one connection per iteration, and
 * hundreds may be waiting ahead of a stop.
 */
const ACCEPT_TURN_MS = 0.3;
/** Anonymous requests that have waited longer are rejected: their clients have probably given up. */
const SHED_MS = 2000;
/** While named callers wait, one in this many requests is anonymous, so that logins still work. */
const ANONYMOUS_SHARE = 4;

/**
 * `stop` requests are handled immediately, and `named` before `anonymous` ones. Each `key` (user, API key or
 * address) receives an equal share.
 */
export interface Caller {
  rank: 'stop' | 'named' | 'anonymous';
  key: string;
}

interface SchedulerOptions {
  handle: RequestListener;
  callerOf: (req: IncomingMessage) => Caller;
  /** Rejects a request that has waited too long. */
  shed: RequestListener;
  now?: () => number;
}

interface Waiting {
  req: IncomingMessage;
  res: ServerResponse & { req: IncomingMessage };
  sinceMs: number;
}

/**
 * Handles requests immediately under low load, with an overhead of less than 1 µs. After `TURN_MS` of work
 * per event-loop iteration, queues requests and serves them round-robin by caller.
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

  get waiting(): number {
    return this.#named.size + this.#anonymous.size;
  }

  readonly admit = (req: IncomingMessage, res: Waiting['res']): void => {
    const now = this.#now();
    if (!this.#isTurnOpen) this.#openTurn(now);
    if (now < this.#turnEndsAt && this.waiting === 0) return void this.#o.handle(req, res);
    const { rank, key } = this.#o.callerOf(req);
    if (rank === 'stop') return void this.#o.handle(req, res);
    const queue = rank === 'named' ? this.#named : this.#anonymous;
    queue.push(key, { req, res, sinceMs: now });
  };

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
  message: 'the gateway is overloaded',
  code: 'OVERLOADED',
  hint: 'Try again in a few seconds. Requests from logged-in users have priority.',
});

/** Rejects a request with 503 at minimal cost. */
export const shed: RequestListener = (_req, res) => {
  res.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(SHED_BODY),
    'retry-after': '5',
  });
  res.end(SHED_BODY);
};
