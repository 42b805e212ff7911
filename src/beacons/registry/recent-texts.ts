/** Maximum size of the cache: enough for the JSON of about 10,000 typical beacons. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Overhead per entry: the headers of two strings and a slot in a map. */
const ENTRY_BYTES = 96;

/**
 * Caches JSON by ID in two maps. When the newer map reaches half of the limit, it replaces the older map;
 * entries that have not been read since the last replacement are dropped.
 */
export class RecentTexts {
  readonly #halfBytes: number;
  #newer = new Map<string, string>();
  #older = new Map<string, string>();
  #newerBytes = 0;
  #olderBytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#halfBytes = maxBytes / 2;
  }

  get bytes(): number {
    return this.#newerBytes + this.#olderBytes;
  }

  get(id: string): string | undefined {
    const text = this.#newer.get(id);
    if (text !== undefined) return text;
    const older = this.#older.get(id);
    if (older !== undefined) this.set(id, older);
    return older;
  }

  set(id: string, text: string): void {
    this.delete(id);
    const bytes = bytesOf(id, text);
    if (bytes > this.#halfBytes) return;
    if (this.#newerBytes + bytes > this.#halfBytes) {
      [this.#older, this.#olderBytes] = [this.#newer, this.#newerBytes];
      [this.#newer, this.#newerBytes] = [new Map(), 0];
    }
    this.#newer.set(id, text);
    this.#newerBytes += bytes;
  }

  delete(id: string): void {
    const newer = this.#newer.get(id);
    if (newer !== undefined) {
      this.#newer.delete(id);
      this.#newerBytes -= bytesOf(id, newer);
    }
    const older = this.#older.get(id);
    if (older !== undefined) {
      this.#older.delete(id);
      this.#olderBytes -= bytesOf(id, older);
    }
  }

  clear(): void {
    [this.#newer, this.#newerBytes] = [new Map(), 0];
    [this.#older, this.#olderBytes] = [new Map(), 0];
  }
}

/** Upper bound: V8 stores two bytes per character if any character is outside Latin-1, otherwise one. */
function bytesOf(id: string, text: string): number {
  return ENTRY_BYTES + 2 * (id.length + text.length);
}
