import type { Server, Socket } from 'node:net';
import { ipPrefixOf } from './addresses.js';

/**
 * Keeps the number of open streams at `max`. Over it, the holder with the max loses its oldest: refusing the newest
 * would let one holder lock out all others.
 */
export class FairSeats<T> {
  readonly #max: number;
  readonly #evict: (seat: T) => void;
  /** By holder, oldest first. */
  readonly #held = new Map<string, Set<T>>();
  #size = 0;

  /** @param evict ends a stream; it may call `leave`. */
  constructor(max: number, evict: (seat: T) => void) {
    this.#max = max;
    this.#evict = evict;
  }

  get size(): number {
    return this.#size;
  }

  /** The open streams by holder, oldest first. */
  get held(): ReadonlyMap<string, ReadonlySet<T>> {
    return this.#held;
  }

  take(holder: string, seat: T): void {
    const own = this.#held.get(holder) ?? new Set();
    this.#held.set(holder, own.add(seat));
    this.#size += 1;
    if (this.#size <= this.#max) return;
    const [greediest] = [...this.#held].toSorted(([, a], [, b]) => b.size - a.size);
    if (!greediest) return;
    const [name, seats] = greediest;
    const [oldest] = seats;
    if (oldest === undefined) return;
    this.leave(name, oldest);
    this.#evict(oldest);
  }

  /** Does nothing for a seat that was already left or evicted. */
  leave(holder: string, seat: T): void {
    const own = this.#held.get(holder);
    if (!own?.delete(seat)) return;
    this.#size -= 1;
    if (own.size === 0) this.#held.delete(holder);
  }
}

/** Keeps the number of connections at `max`, fairly by address, so that every client reaches the stop button. */
export class ConnectionLimit {
  readonly #seats: FairSeats<Socket>;
  readonly #prefixs = new Map<object, string>();

  constructor(max: number) {
    this.#seats = new FairSeats(max, (socket) => socket.destroy());
  }

  /** The open connections by address, oldest first. */
  get open(): ReadonlyMap<string, ReadonlySet<Socket>> {
    return this.#seats.held;
  }

  /** Counts a connection until it closes or is released. */
  take(socket: Socket): void {
    const prefix = ipPrefixOf(socket.remoteAddress ?? '');
    this.#prefixs.set(socket, prefix);
    socket.once('close', () => this.release(socket));
    this.#seats.take(prefix, socket);
  }

  release(socket: object): void {
    const prefix = this.#prefixs.get(socket);
    if (prefix === undefined) return;
    this.#prefixs.delete(socket);
    this.#seats.leave(prefix, socket as Socket);
  }
}

/** Keeps the connections of a server at `max`; returns the open connections by address, oldest first. */
export function limitConnections(server: Server, max: number): ReadonlyMap<string, ReadonlySet<Socket>> {
  const limit = new ConnectionLimit(max);
  server.on('connection', (socket: Socket) => limit.take(socket));
  return limit.open;
}
