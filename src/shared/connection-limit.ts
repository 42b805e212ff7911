import type { Server, Socket } from 'node:net';
import { ipPrefixOf } from './addresses.js';

/**
 * Limits open connections by closing the oldest connection of the client with the most connections. Rejecting
 * new connections instead would let one client lock out all others.
 */
export class FairConnectionLimit<T> {
  readonly #max: number;
  readonly #evict: (connection: T) => void;
  readonly #open = new Map<string, Set<T>>();
  #size = 0;

  /** @param evict closes a connection; can call `remove`. */
  constructor(max: number, evict: (connection: T) => void) {
    this.#max = max;
    this.#evict = evict;
  }

  get size(): number {
    return this.#size;
  }

  /** Open connections by holder, oldest first. */
  get open(): ReadonlyMap<string, ReadonlySet<T>> {
    return this.#open;
  }

  add(holder: string, connection: T): void {
    const own = this.#open.get(holder) ?? new Set();
    this.#open.set(holder, own.add(connection));
    this.#size += 1;
    if (this.#size <= this.#max) return;
    const [largest] = [...this.#open].toSorted(([, a], [, b]) => b.size - a.size);
    if (!largest) return;
    const [name, connections] = largest;
    const [oldest] = connections;
    if (oldest === undefined) return;
    this.remove(name, oldest);
    this.#evict(oldest);
  }

  remove(holder: string, connection: T): void {
    const own = this.#open.get(holder);
    if (!own?.delete(connection)) return;
    this.#size -= 1;
    if (own.size === 0) this.#open.delete(holder);
  }
}

/** Divides the connections fairly among client addresses, so that every client can reach the stop button. */
export class ConnectionLimit {
  readonly #limit: FairConnectionLimit<Socket>;
  readonly #prefixes = new Map<object, string>();

  constructor(max: number) {
    this.#limit = new FairConnectionLimit(max, (socket) => socket.destroy());
  }

  get open(): ReadonlyMap<string, ReadonlySet<Socket>> {
    return this.#limit.open;
  }

  take(socket: Socket): void {
    const prefix = ipPrefixOf(socket.remoteAddress ?? '');
    this.#prefixes.set(socket, prefix);
    socket.once('close', () => this.release(socket));
    this.#limit.add(prefix, socket);
  }

  release(socket: object): void {
    const prefix = this.#prefixes.get(socket);
    if (prefix === undefined) return;
    this.#prefixes.delete(socket);
    this.#limit.remove(prefix, socket as Socket);
  }
}

export function limitConnections(server: Server, max: number): ReadonlyMap<string, ReadonlySet<Socket>> {
  const limit = new ConnectionLimit(max);
  server.on('connection', (socket: Socket) => limit.take(socket));
  return limit.open;
}
