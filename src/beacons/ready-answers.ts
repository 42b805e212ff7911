/** Bounds of what is kept: together 8 million characters. */
const ENTRIES_MOST = 4096;
const LENGTH_MOST = 2048;

/**
 * JSON of single beacons, ready to be sent; the oldest makes room for a new one, a long one is not kept. Texts rather than
 * buffers: Node sends a text in one piece with the header, a buffer in a piece of its own.
 */
export class ReadyAnswers {
  readonly #byId = new Map<string, string>();

  get(id: string): string | undefined {
    return this.#byId.get(id);
  }

  add(id: string, json: string): void {
    if (json.length > LENGTH_MOST) return;
    if (this.#byId.size >= ENTRIES_MOST) {
      const [oldest] = this.#byId.keys();
      if (oldest !== undefined) this.#byId.delete(oldest);
    }
    this.#byId.set(id, json);
  }

  delete(id: string): void {
    this.#byId.delete(id);
  }

  clear(): void {
    this.#byId.clear();
  }
}
