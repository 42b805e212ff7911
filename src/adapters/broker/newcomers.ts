import type { Socket } from 'node:net';
import { ConnectionLimit } from '../../shared/connection-limit.js';

/**
 * Follows the packet borders of an MQTT byte stream and says when a packet announces more than the limit. The broker's
 * parser has no limit of its own: it would collect up to 256 MB for one packet.
 */
export class PacketSizeGuard {
  #limitBytes: number;
  /** Bytes of the current packet's body that are still to come. */
  #left = 0;
  /** Bytes of the fixed header read so far: the first is the type, up to four more are the length. */
  #headerBytes = 0;
  #length = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get limitBytes(): number {
    return this.#limitBytes;
  }

  /** Allows larger packets from the next one on. */
  raise(limitBytes: number): void {
    this.#limitBytes = limitBytes;
  }

  /** False as soon as a packet over the limit (or with a length that MQTT does not know) has been announced. */
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

/** How a client stands to a client id: it is its own, anybody may have it, or it is reserved for others. */
export type Claim = 'owner' | 'guest' | 'refused';

/** What is needed of a client. */
interface IdHolder {
  clientId: string;
  username: string;
}

/**
 * Whose a client id is. MQTT ends the old connection when the same id connects again, which is right for a client that
 * lost its line, and lets every other one push a cart off the broker.
 */
export class ClientIds<Who extends IdHolder> {
  readonly #holders = new Map<string, { client: object; who: Who }>();
  readonly #claim: (who: Who) => Claim;

  /** @param claim asked again at every conflict: what a holder may do can end while it is connected. */
  constructor(claim: (who: Who) => Claim) {
    this.#claim = claim;
  }

  /** Whether this client may connect with its id. An owner takes it over from any other client. */
  mayUse(who: Who): boolean {
    const claim = this.#claim(who);
    if (claim === 'refused') return false;
    const holder = this.holder(who.clientId);
    if (!holder || holder.username === who.username) return true;
    return claim === 'owner' && this.#claim(holder) !== 'owner';
  }

  /** Who is connected with this id. */
  holder(id: string): Who | undefined {
    return this.#holders.get(id)?.who;
  }

  hold(client: object, who: Who): void {
    this.#holders.set(who.clientId, { client, who });
  }

  /** The end of a connection; when another one has taken over, the id stays held. */
  release(id: string, client: object): void {
    if (this.#holders.get(id)?.client === client) this.#holders.delete(id);
  }
}

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
