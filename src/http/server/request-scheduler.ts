import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type InputScheduler, processInputs, type Source } from '../../shared/input-scheduler.js';

type Answer = ServerResponse & { req: IncomingMessage };

/** Maximum number of pipelined stops per connection that do not wait for the previous response. */
const MAX_STOPS_AT_ONCE = 8;
/** Limits on the number of waiting pipelined requests and on the total size of their headers. */
const MAX_WAITING = 5000;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

interface PipeliningOptions {
  handle: RequestListener;
  isStop: (req: IncomingMessage) => boolean;
}

/**
 * Handles a connection's requests one at a time (RFC 9112, 9.3.2). Otherwise, unread responses to pipelined
 * requests would fill the memory; 1,700 such requests delayed the control loop by seconds.
 */
export function limitPipelining({ handle, isStop }: PipeliningOptions): RequestListener {
  const queues = new WeakMap<Socket, { length: number; bytes: number; stops: number }>();
  let waiting = 0;
  let waitingBytes = 0;

  const queueOf = (socket: Socket) => {
    const existing = queues.get(socket);
    if (existing) return existing;
    const queued = { length: 0, bytes: 0, stops: 0 };
    queues.set(socket, queued);
    socket.once('close', () => {
      waiting -= queued.length;
      waitingBytes -= queued.bytes;
      Object.assign(queued, { length: 0, bytes: 0 });
    });
    return queued;
  };

  const queue = (req: IncomingMessage, res: Answer): void => {
    const { socket } = req;
    if (socket.destroyed) return;
    const queued = queueOf(socket);
    if (isStop(req) && queued.stops < MAX_STOPS_AT_ONCE) {
      queued.stops += 1;
      res.once('socket', () => (queued.stops -= 1));
      return void handle(req, res);
    }
    const bytes = headerBytes(req);
    if (waiting >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) return void socket.destroy();
    queued.length += 1;
    queued.bytes += bytes;
    waiting += 1;
    waitingBytes += bytes;
    res.once('socket', () => {
      queued.length -= 1;
      queued.bytes -= bytes;
      waiting -= 1;
      waitingBytes -= bytes;
      // Deferred, so that other connections are served between two pipelined requests.
      setImmediate(handle, req, res);
    });
  };

  return (req, res) => {
    // A response has no socket until the previous response has ended.
    if (res.socket === null) queue(req, res);
    else handle(req, res);
  };
}

function headerBytes({ rawHeaders, url = '' }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}

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
  /** Default: this process's scheduler. */
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

  readonly admit = (req: IncomingMessage, res: Answer): void => {
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
    // The connection cannot be reused, because the request's body has not been read.
    ...('content-length' in req.headers || 'transfer-encoding' in req.headers ? { connection: 'close' } : {}),
  });
  res.end(SHED_BODY);
};
