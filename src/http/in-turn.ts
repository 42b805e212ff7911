import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Answer = ServerResponse & { req: IncomingMessage };

/** Requests behind another one of their connection that are worked on all the same: a stop does not wait for a slow page. */
const AT_ONCE = 8;
/** Requests in all lines together: some 20 MB. */
const WAITING_MOST = 5000;

/**
 * Works on the requests of a connection in turn. Sent without waiting for answers, 1,700 of them come in one piece; worked
 * on in one piece they kept the carts waiting for seconds, and the answers filled the memory when nobody read them.
 */
export function inTurn(handle: RequestListener): RequestListener {
  /** By connection, how many requests have come before the answer to the one before them. */
  const lines = new WeakMap<Socket, { length: number }>();
  let waiting = 0;

  const lineOf = (socket: Socket): { length: number } => {
    const line = lines.get(socket) ?? { length: 0 };
    if (!lines.has(socket)) {
      lines.set(socket, line);
      socket.once('close', () => {
        waiting -= line.length;
        line.length = 0;
      });
    }
    return line;
  };

  const queue = (req: IncomingMessage, res: Answer): void => {
    const { socket } = req;
    if (socket.destroyed) return;
    if (waiting >= WAITING_MOST) return void socket.destroy();
    const line = lineOf(socket);
    line.length += 1;
    waiting += 1;
    const isLate = line.length > AT_ONCE;
    if (!isLate) handle(req, res);
    res.once('socket', () => {
      line.length -= 1;
      waiting -= 1;
      // Not at once: everybody else has a turn between two of these.
      if (isLate) setImmediate(handle, req, res);
    });
  };

  return (req, res) => {
    // The answer has no socket while another one stands before it.
    if (res.socket === null) queue(req, res);
    else handle(req, res);
  };
}
