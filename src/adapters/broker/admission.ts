import type { Socket } from 'node:net';
import { ipPrefixOf } from '../../shared/addresses.js';
import { FairConnectionLimit } from '../../shared/connection-limit.js';

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

  /**
   * Returns true if the client can use its client ID. The owner of an ID displaces any client that uses the ID
   * without owning it.
   */
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

/** Maximum number of unauthenticated connections; a fleet of 1,000 carts can reconnect simultaneously. */
const MAX_PENDING = 1024;

/** Limits the number of unauthenticated connections. */
export class PendingConnections {
  readonly #limit: FairConnectionLimit<Socket>;
  readonly #holders = new Map<object, string>();

  constructor(max = MAX_PENDING) {
    this.#limit = new FairConnectionLimit(max, (socket) => socket.destroy());
  }

  add(socket: Socket): void {
    const holder = ipPrefixOf(socket.remoteAddress ?? '');
    this.#holders.set(socket, holder);
    socket.once('close', () => this.admit(socket));
    this.#limit.add(holder, socket);
  }

  admit(connection: object): void {
    const holder = this.#holders.get(connection);
    if (holder === undefined) return;
    this.#holders.delete(connection);
    this.#limit.remove(holder, connection as Socket);
  }
}
