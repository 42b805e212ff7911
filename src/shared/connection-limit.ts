/**
 * Limits open connections by closing the oldest connection of the client with the most connections. Rejecting
 * new connections instead would let one client lock out all others.
 */
export class FairConnectionLimit<T> {
  readonly #max: number;
  readonly #evict: (connection: T) => void;
  readonly #maxPerHolder: number;
  readonly #open = new Map<string, Set<T>>();
  #size = 0;

  /** @param evict closes a connection; can call `remove`. */
  constructor(max: number, evict: (connection: T) => void, maxPerHolder = max) {
    this.#max = max;
    this.#evict = evict;
    this.#maxPerHolder = maxPerHolder;
  }

  get size(): number {
    return this.#size;
  }

  /** Open connections by holder, oldest first. */
  get open(): ReadonlyMap<string, ReadonlySet<T>> {
    return this.#open;
  }

  add(holder: string, connection: T): void {
    const own = this.#open.get(holder) ?? new Set();
    this.#open.set(holder, own.add(connection));
    this.#size += 1;
    if (own.size > this.#maxPerHolder) return this.#evictOldest(holder, own);
    if (this.#size <= this.#max) return;
    const [largest] = [...this.#open].toSorted(([, a], [, b]) => b.size - a.size);
    if (largest) this.#evictOldest(...largest);
  }

  #evictOldest(holder: string, connections: ReadonlySet<T>): void {
    const [oldest] = connections;
    if (oldest === undefined) return;
    this.remove(holder, oldest);
    this.#evict(oldest);
  }

  remove(holder: string, connection: T): void {
    const own = this.#open.get(holder);
    if (!own?.delete(connection)) return;
    this.#size -= 1;
    if (own.size === 0) this.#open.delete(holder);
  }
}
