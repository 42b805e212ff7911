/** Bounds of what is kept, together 8 MiB of text. */
const ENTRIES_MOST = 4096;
const BYTES_MOST = 2048;

/** JSON of single beacons, ready to be sent; the oldest makes room for a new one, a long one is not kept. */
export class ReadyAnswers {
  readonly #byId = new Map<string, Buffer>();

  get(id: string): Buffer | undefined {
    return this.#byId.get(id);
  }

  add(id: string, json: Buffer): void {
    if (json.length > BYTES_MOST) return;
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
