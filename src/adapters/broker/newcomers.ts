import type { Socket } from 'node:net';
import { ConnectionLimit } from '../../shared/net/connection-limit.js';
import { PacketSizeGuard } from './guard.js';

/** A CONNECT with a key and a will of the message tree has less than 1 kB. */
const MAX_CONNECT_BYTES = 4096;
/** A fleet of 1,000 carts may reconnect at once. */
const MAX_NEWCOMERS = 1024;

/** Connections that have not authenticated yet: they send small packets, and there are few of them. */
export class Newcomers {
  readonly #limit: ConnectionLimit;
  readonly #guards = new WeakMap<object, PacketSizeGuard>();

  constructor(most = MAX_NEWCOMERS) {
    this.#limit = new ConnectionLimit(most);
  }

  /** The guard of its packets, until the connection ends. */
  take(socket: Socket): PacketSizeGuard {
    const guard = new PacketSizeGuard(MAX_CONNECT_BYTES);
    this.#guards.set(socket, guard);
    this.#limit.take(socket);
    return guard;
  }

  /** It has authenticated and may send packets of this size. */
  admit(connection: object, limitBytes: number): void {
    this.#guards.get(connection)?.raise(limitBytes);
    this.#limit.release(connection);
  }
}
