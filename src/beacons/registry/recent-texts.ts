/** Memory for the beacons that were read last: about 10,000 of usual length. */
const MOST_BYTES = 4 * 1024 * 1024;
/** What an entry takes besides its characters: the headers of two strings and its slot in a map. */
const ENTRY_BYTES = 96;

/**
 * The JSON of the beacons that were read last, by id, bounded in bytes. New entries go into one map; when it holds half of
 * the bytes, it becomes the older one, and the older one before it is dropped with everything that was not read since.
 */
export class RecentTexts {
  readonly #halfBytes: number;
  #newer = new Map<string, string>();
  #older = new Map<string, string>();
  #newerBytes = 0;
  #olderBytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#halfBytes = mostBytes / 2;
  }

  /** An upper bound of what the entries take. */
  get bytes(): number {
    return this.#newerBytes + this.#olderBytes;
  }

  get(id: string): string | undefined {
    const text = this.#newer.get(id);
    if (text !== undefined) return text;
    const older = this.#older.get(id);
    if (older !== undefined) this.keep(id, older);
    return older;
  }

  /** Keeps the text under an id that has none, or an older one. */
  keep(id: string, text: string): void {
    this.forget(id);
    const bytes = bytesOf(id, text);
    if (bytes > this.#halfBytes) return;
    if (this.#newerBytes + bytes > this.#halfBytes) {
      [this.#older, this.#olderBytes] = [this.#newer, this.#newerBytes];
      [this.#newer, this.#newerBytes] = [new Map(), 0];
    }
    this.#newer.set(id, text);
    this.#newerBytes += bytes;
  }

  forget(id: string): void {
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

/** V8 takes one byte for each character of most texts, and two for each when one of them is beyond Latin-1. */
function bytesOf(id: string, text: string): number {
  return ENTRY_BYTES + 2 * (id.length + text.length);
}
