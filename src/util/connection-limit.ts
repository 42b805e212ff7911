import type { Server, Socket } from 'node:net';
import { householdOf } from './household.js';

/**
 * Keeps the connections of a server at `most`. For one more, whoever has the most of them gives up his oldest: to refuse
 * the newest would let anybody who opens enough of them keep everybody else from the stop button.
 */
export function limitConnections(server: Server, most: number): void {
  /** By household, in the order in which they came. */
  const open = new Map<string, Set<Socket>>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    const household = householdOf(socket.remoteAddress ?? '');
    const own = open.get(household) ?? new Set();
    open.set(household, own.add(socket));
    count += 1;
    socket.once('close', () => {
      count -= 1;
      own.delete(socket);
      if (own.size === 0) open.delete(household);
    });
    if (count > most) oldestOfMost(open)?.destroy();
  });
}

function oldestOfMost(open: ReadonlyMap<string, ReadonlySet<Socket>>): Socket | undefined {
  const [greediest] = [...open.values()].toSorted((a, b) => b.size - a.size);
  return greediest && [...greediest].find((socket) => !socket.destroyed);
}
