import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type InputScheduler, processInputs, type Source } from '../../shared/input-scheduler.js';

/** `stop` requests are handled immediately. */
export interface Caller {
  rank: 'stop' | Source['rank'];
  key: string;
}

interface SchedulerOptions {
  handle: RequestListener;
  callerOf: (req: IncomingMessage) => Caller;
  /** Rejects a request that has waited too long. */
  shed: RequestListener;
  /** Default: the scheduler of this process. */
  inputs?: InputScheduler;
}

/** Handles requests immediately under low load, and otherwise in turn with the inputs of all protocols. */
export class RequestScheduler {
  readonly #o: SchedulerOptions;
  readonly #inputs: InputScheduler;

  constructor(o: SchedulerOptions) {
    this.#o = o;
    this.#inputs = o.inputs ?? processInputs;
  }

  readonly admit = (req: IncomingMessage, res: ServerResponse & { req: IncomingMessage }): void => {
    const { handle, callerOf, shed: reject } = this.#o;
    if (this.#inputs.hasTime()) return void handle(req, res);
    const { rank, key } = callerOf(req);
    if (rank === 'stop') return void handle(req, res);
    this.#inputs.queue(
      { rank, key },
      {
        run: () => handle(req, res),
        isGone: () => req.socket.destroyed,
        shed: () => reject(req, res),
      },
    );
  };
}

const SHED_BODY = JSON.stringify({
  error: 'Not available',
  message: 'the gateway is overloaded',
  code: 'OVERLOADED',
  hint: 'Try again in a few seconds. Requests from logged-in users have priority.',
});

/** Rejects a request with 503 at minimal cost. */
export const shed: RequestListener = (req, res) => {
  res.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(SHED_BODY),
    'retry-after': '5',
    // The body has not been read.
    ...('content-length' in req.headers || 'transfer-encoding' in req.headers ? { connection: 'close' } : {}),
  });
  res.end(SHED_BODY);
};
