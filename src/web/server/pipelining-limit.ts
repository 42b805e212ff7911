import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Answer = ServerResponse & { req: IncomingMessage };

/** Stops behind another request of their connection that are handled at once. */
const MAX_STOPS_AT_ONCE = 8;
/** Requests of all connections together that wait for the response before theirs, and the bytes of their headers. */
const MAX_WAITING = 5000;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

interface InTurnOptions {
  handle: RequestListener;
  /** Whether a request does not wait for the response before it. */
  isStop: (req: IncomingMessage) => boolean;
}

/**
 * Handles the requests of a connection in turn (RFC 9112, 9.3.2): the next one starts when the response before it has
 * left for the operating system, so a connection holds at most one unread response in memory. Without turns, 1,700
 * pipelined requests delayed the control loop by seconds.
 */
export function limitPipelining({ handle, isStop }: InTurnOptions): RequestListener {
  /** By connection, what waits for the response before it. */
  const lines = new WeakMap<Socket, { length: number; bytes: number; stops: number }>();
  let waiting = 0;
  let waitingBytes = 0;

  const lineOf = (socket: Socket) => {
    const known = lines.get(socket);
    if (known) return known;
    const line = { length: 0, bytes: 0, stops: 0 };
    lines.set(socket, line);
    socket.once('close', () => {
      waiting -= line.length;
      waitingBytes -= line.bytes;
      Object.assign(line, { length: 0, bytes: 0 });
    });
    return line;
  };

  const queue = (req: IncomingMessage, res: Answer): void => {
    const { socket } = req;
    if (socket.destroyed) return;
    const line = lineOf(socket);
    if (isStop(req) && line.stops < MAX_STOPS_AT_ONCE) {
      line.stops += 1;
      res.once('socket', () => (line.stops -= 1));
      return void handle(req, res);
    }
    const bytes = headerBytes(req);
    if (waiting >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) return void socket.destroy();
    line.length += 1;
    line.bytes += bytes;
    waiting += 1;
    waitingBytes += bytes;
    res.once('socket', () => {
      line.length -= 1;
      line.bytes -= bytes;
      waiting -= 1;
      waitingBytes -= bytes;
      // Not at once: every other connection has a turn between two of these.
      setImmediate(handle, req, res);
    });
  };

  return (req, res) => {
    // The response has no socket while another one is before it.
    if (res.socket === null) queue(req, res);
    else handle(req, res);
  };
}

function headerBytes({ rawHeaders, url = '' }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}
