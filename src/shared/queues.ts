export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the job after all earlier jobs. Settles with the job's outcome. */
  take<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when all jobs queued before the call have settled. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

/** A FIFO queue per key. Keys are served in round-robin order. */
export class FairQueue<T> {
  readonly #byKey = new Map<string, T[]>();
  size = 0;

  push(key: string, item: T): void {
    const items = this.#byKey.get(key);
    if (items) items.push(item);
    else this.#byKey.set(key, [item]);
    this.size += 1;
  }

  /** Removes and returns the first item of the next key in round-robin order. */
  shift(): T | undefined {
    for (const [key, items] of this.#byKey) {
      const next = items.shift();
      this.#byKey.delete(key);
      if (items.length > 0) this.#byKey.set(key, items);
      if (next === undefined) continue;
      this.size -= 1;
      return next;
    }
    return undefined;
  }

  /** Removes the last item of the key with the most items. Returns undefined if the queue is empty. */
  pop(): T | undefined {
    const [longest] = [...this.#byKey].toSorted(([, a], [, b]) => b.length - a.length);
    if (!longest) return undefined;
    const [key, items] = longest;
    const last = items.pop();
    if (items.length === 0) this.#byKey.delete(key);
    this.size -= 1;
    return last;
  }
}
