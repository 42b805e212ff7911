import type { Server, Socket } from 'node:net';

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
