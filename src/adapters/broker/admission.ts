import type { Socket } from 'node:net';
import { ConnectionLimit } from '../../shared/connection-limit.js';

/** Checks the length in each packet's header, because the aedes parser would buffer up to 256 MB. */
export class PacketSizeGuard {
  #limitBytes: number;
  /** Outstanding bytes of the current packet's body. */
  #left = 0;
  /** Bytes of the fixed header read so far: a type byte and one to four length bytes (MQTT 3.1.1, 2.2). */
  #headerBytes = 0;
  #length = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get limitBytes(): number {
    return this.#limitBytes;
  }

  raise(limitBytes: number): void {
    this.#limitBytes = limitBytes;
  }

  /** Returns false if a header contains an invalid length or a length above the limit. */
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

/** The ID is reserved for this client (`owner`), no client (`guest`) or another client (`refused`). */
export type Claim = 'owner' | 'guest' | 'refused';

interface IdHolder {
  clientId: string;
  username: string;
}

/**
 * In MQTT, a client displaces any connected client with the same client ID. Ownership of a client ID prevents
 * clients from displacing a cart.
 */
export class ClientIds<Identity extends IdHolder> {
  readonly #holders = new Map<string, { client: object; identity: Identity }>();
  readonly #claim: (identity: Identity) => Claim;

  /** @param claim called again for the holder of a contested ID, whose rights may have been revoked. */
  constructor(claim: (identity: Identity) => Claim) {
    this.#claim = claim;
  }

  /** The owner of a client ID displaces any client that uses the ID without owning it. */
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

  release(id: string, client: object): void {
    if (this.#holders.get(id)?.client === client) this.#holders.delete(id);
  }
}

/** A gateway's CONNECT packet, with API key and last will, is smaller than 1 kB. */
const MAX_CONNECT_BYTES = 4096;
/** A fleet of 1,000 carts can reconnect simultaneously. */
const MAX_PENDING = 1024;

/** Limits the number of unauthenticated connections and the size of their packets. */
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

  admit(connection: object, limitBytes: number): void {
    this.#guards.get(connection)?.raise(limitBytes);
    this.#limit.release(connection);
  }
}
