/**
 * Whose a client id is while it is connected. MQTT ends the old connection when the same id connects anew, which is right
 * for who lost his line, and lets everybody else push a cart off the broker.
 */
export class ClientIds {
  readonly #holders = new Map<string, { client: object; username: string }>();

  /** Whether this user may connect with the id. */
  mayUse(id: string, username: string): boolean {
    const holder = this.#holders.get(id);
    return holder === undefined || username === holder.username;
  }

  hold(id: string, client: object, username: string): void {
    this.#holders.set(id, { client, username });
  }

  /** The end of a connection; when another one has taken over, the id stays held. */
  release(id: string, client: object): void {
    if (this.#holders.get(id)?.client === client) this.#holders.delete(id);
  }
}
