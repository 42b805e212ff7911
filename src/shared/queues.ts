/** Runs asynchronous jobs one after the other, in order of arrival. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the job after all earlier jobs have settled; settles as the job does. */
  take<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(job);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Resolves when every job taken so far has settled. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

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

  /** The first item of the next key; undefined when the queue is empty. */
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

  /** Removes and returns the newest item of the longest key; undefined when the queue is empty. */
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
