import type { Server, Socket } from 'node:net';
import { FairSeats } from './fair-seats.js';
import { ipPrefixOf } from './ip-prefix.js';

/** Keeps a number of connections at `most`, by address: to refuse the newest would keep everybody else from the stop button. */
export class ConnectionLimit {
  readonly #seats: FairSeats<Socket>;
  readonly #households = new Map<object, string>();

  constructor(most: number) {
    this.#seats = new FairSeats(most, (socket) => socket.destroy());
  }

  /** The open connections by address, oldest first. */
  get open(): ReadonlyMap<string, ReadonlySet<Socket>> {
    return this.#seats.held;
  }

  /** Counts a connection until it closes or is released. */
  take(socket: Socket): void {
    const household = ipPrefixOf(socket.remoteAddress ?? '');
    this.#households.set(socket, household);
    socket.once('close', () => this.release(socket));
    this.#seats.take(household, socket);
  }

  release(socket: object): void {
    const household = this.#households.get(socket);
    if (household === undefined) return;
    this.#households.delete(socket);
    this.#seats.leave(household, socket as Socket);
  }
}

/** Keeps the connections of a server at `most`, and answers the open ones by address. */
export function limitConnections(server: Server, most: number): ReadonlyMap<string, ReadonlySet<Socket>> {
  const limit = new ConnectionLimit(most);
  server.on('connection', (socket: Socket) => limit.take(socket));
  return limit.open;
}
