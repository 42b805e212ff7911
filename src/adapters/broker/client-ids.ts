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
