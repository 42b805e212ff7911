import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

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

const MB = 1024 * 1024;
const CHECK_MS = 250;

/** Bytes of responses that wait to be read: of one address beside its largest response, and of all. */
interface UnsentLimits {
  address: number;
  total: number;
}

const UNSENT_LIMITS: UnsentLimits = { address: 8 * MB, total: 32 * MB };

/**
 * Closes connections of clients that ask for more than they read, those with the most unread bytes first.
 * @param open the connections of the server by address.
 */
export function limitUnsent(
  server: Server,
  open: ReadonlyMap<string, ReadonlySet<Socket>>,
  limits: UnsentLimits = UNSENT_LIMITS,
): void {
  const timer = setInterval(() => closeGreediest(open, limits), CHECK_MS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Closes what exceeds the limits now. */
export function closeGreediest(open: ReadonlyMap<string, ReadonlySet<Socket>>, limits: UnsentLimits): void {
  const unread: Socket[] = [];
  for (const sockets of open.values()) {
    const own = [...sockets].filter((socket) => socket.writableLength > 0).toSorted(byUnread);
    // One large response is what a slow reader of a large list has.
    unread.push(...own.slice(0, 1), ...closeDownTo(limits.address, own.slice(1)));
  }
  closeDownTo(limits.total, unread.toSorted(byUnread));
}

const byUnread = (a: Socket, b: Socket): number => b.writableLength - a.writableLength;

/** Closes the first ones until the rest is within `limit`, and answers the rest. */
function closeDownTo(limit: number, sockets: readonly Socket[]): Socket[] {
  let bytes = sockets.reduce((sum, socket) => sum + socket.writableLength, 0);
  return sockets.filter((socket) => {
    if (bytes <= limit) return true;
    bytes -= socket.writableLength;
    socket.destroy();
    return false;
  });
}
