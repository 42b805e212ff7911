import type { Socket } from 'node:net';
import { ConnectionLimit } from '../../shared/connection-limit.js';

/**
 * Checks the length in the header of each MQTT packet against the limit. The aedes parser would buffer up to
 * 256 MB.
 */
export class PacketSizeGuard {
  #limitBytes: number;
  /** Number of bytes of the current packet's body that are still to be received. */
  #left = 0;
  /**
   * Number of bytes of the fixed header that have been read: one type byte and one to four length bytes (MQTT
   * 3.1.1, 2.2).
   */
  #headerBytes = 0;
  #length = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get limitBytes(): number {
    return this.#limitBytes;
  }

  /** Raises the limit, starting with the next packet. */
  raise(limitBytes: number): void {
    this.#limitBytes = limitBytes;
  }

  /** Returns false once a header gives a length that exceeds the limit or is invalid. */
  allows(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      if (!this.#readHeader(chunk[at] ?? 0)) return false;
      at += 1;
    }
    return true;
  }

  #readHeader(byte: number): boolean {
    this.#headerBytes += 1;
    if (this.#headerBytes === 1) return true;
    this.#length += (byte & 0x7f) * 128 ** (this.#headerBytes - 2);
    if (this.#length > this.#limitBytes) return false;
    if ((byte & 0x80) !== 0) return this.#headerBytes < 5;
    this.#left = this.#length;
    this.#headerBytes = 0;
    this.#length = 0;
    return true;
  }
}

/**
 * A client's claim to the client id with which it connects. `owner`: the id is reserved for this client.
 * `guest`: the id is not reserved. `refused`: the id is reserved for a different client.
 */
export type Claim = 'owner' | 'guest' | 'refused';

interface IdHolder {
  clientId: string;
  username: string;
}

/**
 * If a client connects with an id that is in use, MQTT disconnects the old client. Ownership prevents other
 * clients from displacing a cart.
 */
export class ClientIds<Identity extends IdHolder> {
  readonly #holders = new Map<string, { client: object; identity: Identity }>();
  readonly #claim: (identity: Identity) => Claim;

  /**
   * @param claim evaluated for every conflict, because the holder's rights can be revoked while it is
   * connected.
   */
  constructor(claim: (identity: Identity) => Claim) {
    this.#claim = claim;
  }

  /** True if the client may connect with its id. An owner displaces any client that is not an owner. */
  mayUse(identity: Identity): boolean {
    const claim = this.#claim(identity);
    if (claim === 'refused') return false;
    const holder = this.holder(identity.clientId);
    if (!holder || holder.username === identity.username) return true;
    return claim === 'owner' && this.#claim(holder) !== 'owner';
  }

  holder(id: string): Identity | undefined {
    return this.#holders.get(id)?.identity;
  }

  hold(client: object, identity: Identity): void {
    this.#holders.set(identity.clientId, { client, identity });
  }

  /** Frees the id unless a different connection now holds it. */
  release(id: string, client: object): void {
    if (this.#holders.get(id)?.client === client) this.#holders.delete(id);
  }
}

/** A gateway's CONNECT packet, with API key and last will, is smaller than 1 kB. */
const MAX_CONNECT_BYTES = 4096;
/** A fleet of 1,000 carts may reconnect at once. */
const MAX_PENDING = 1024;

/** Limits the number and the packet size of connections that have not authenticated yet. */
export class PendingConnections {
  readonly #limit: ConnectionLimit;
  readonly #guards = new WeakMap<object, PacketSizeGuard>();

  constructor(max = MAX_PENDING) {
    this.#limit = new ConnectionLimit(max);
  }

  add(socket: Socket): PacketSizeGuard {
    const guard = new PacketSizeGuard(MAX_CONNECT_BYTES);
    this.#guards.set(socket, guard);
    this.#limit.take(socket);
    return guard;
  }

  /** Raises the packet limit of a connection that has authenticated. */
  admit(connection: object, limitBytes: number): void {
    this.#guards.get(connection)?.raise(limitBytes);
    this.#limit.release(connection);
  }
}
