/** First in, first out for each key; the keys take turns. */
export class FairQueue<T> {
  readonly #byKey = new Map<string, T[]>();
  size = 0;

  push(key: string, item: T): void {
    const line = this.#byKey.get(key);
    if (line) line.push(item);
    else this.#byKey.set(key, [item]);
    this.size += 1;
  }

  /** The first item of the key whose turn it is; undefined when nothing waits. */
  shift(): T | undefined {
    for (const [key, line] of this.#byKey) {
      const next = line.shift();
      // A map keeps the order of insertion: set again, the key is the last.
      this.#byKey.delete(key);
      if (line.length > 0) this.#byKey.set(key, line);
      if (next === undefined) continue;
      this.size -= 1;
      return next;
    }
    return undefined;
  }

  /** Removes and returns the newest item of the key with the most; undefined when nothing waits. */
  pop(): T | undefined {
    const [longest] = [...this.#byKey].toSorted(([, a], [, b]) => b.length - a.length);
    if (!longest) return undefined;
    const [key, line] = longest;
    const last = line.pop();
    if (line.length === 0) this.#byKey.delete(key);
    this.size -= 1;
    return last;
  }
}
