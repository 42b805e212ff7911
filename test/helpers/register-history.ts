/** An operation on one register, between two ticks of a clock that all clients share. */
interface Interval {
  from: number;
  /** Infinity when its answer never came: it may have happened, now or later. */
  to: number;
}

/** `undefined` is the value of a register that does not exist. */
interface Operation extends Interval {
  value: string | undefined;
}

/**
 * What clients have written to one register and read from it. Every value that is written is another one, except
 * `undefined`, which several deletions write.
 */
export class RegisterHistory {
  readonly #writes: Operation[] = [{ from: -1, to: -1, value: undefined }];
  readonly #reads: Operation[] = [];

  wrote(operation: Operation): void {
    this.#writes.push(operation);
  }

  read(operation: Operation): void {
    this.#reads.push(operation);
  }

  /** Reads that no order of the operations explains: of a value from nowhere, overwritten, or older than one already read. */
  faults(): string[] {
    const reads = this.#reads.toSorted((a, b) => a.from - b.from);
    const explained = reads.flatMap((read) => {
      const source = this.#sourceOf(read);
      return source ? [{ read, source }] : [];
    });
    const unexplained = reads.filter((read) => !this.#sourceOf(read)).map(describe);
    const backwards = explained.flatMap((later, at) => {
      const earlier = explained.slice(Math.max(0, at - 100), at).find(
        ({ read, source }) =>
          // Deletions look alike, so which of them was read is not known.
          isBefore(read, later.read) && later.read.value !== undefined && isBefore(later.source, source),
      );
      return earlier ? [`${describe(later.read)} after ${describe(earlier.read)}`] : [];
    });
    return [...unexplained, ...backwards];
  }

  /** The write whose value it is, begun before the read ended and not overwritten before the read began. */
  #sourceOf(read: Operation): Operation | undefined {
    return this.#writes.findLast(
      (write) => write.value === read.value && write.from < read.to && !this.#isOverwritten(write, read),
    );
  }

  #isOverwritten(write: Operation, read: Operation): boolean {
    return this.#writes.some((other) => isBefore(write, other) && isBefore(other, read));
  }
}

function isBefore(one: Interval, other: Interval): boolean {
  return one.to < other.from;
}

function describe({ from, to, value }: Operation): string {
  return `${value ?? 'nothing'} read between ${from} and ${to}`;
}
