/**
 * Keeps the number of open streams at `max`. For one more, the holder with the most gives up the oldest: to refuse the
 * newest would let one holder keep everybody else out.
 */
export class FairSeats<T> {
  readonly #max: number;
  readonly #evict: (seat: T) => void;
  /** By holder, oldest first. */
  readonly #held = new Map<string, Set<T>>();
  #size = 0;

  /** @param evict ends a stream; it may call `leave`. */
  constructor(max: number, evict: (seat: T) => void) {
    this.#max = max;
    this.#evict = evict;
  }

  get size(): number {
    return this.#size;
  }

  /** The open streams by holder, oldest first. */
  get held(): ReadonlyMap<string, ReadonlySet<T>> {
    return this.#held;
  }

  take(holder: string, seat: T): void {
    const own = this.#held.get(holder) ?? new Set();
    this.#held.set(holder, own.add(seat));
    this.#size += 1;
    if (this.#size <= this.#max) return;
    const [greediest] = [...this.#held].toSorted(([, a], [, b]) => b.size - a.size);
    if (!greediest) return;
    const [name, seats] = greediest;
    const [oldest] = seats;
    if (oldest === undefined) return;
    this.leave(name, oldest);
    this.#evict(oldest);
  }

  /** Does nothing for a seat that was left or evicted before. */
  leave(holder: string, seat: T): void {
    const own = this.#held.get(holder);
    if (!own?.delete(seat)) return;
    this.#size -= 1;
    if (own.size === 0) this.#held.delete(holder);
  }
}
