/** The start and end of an operation on a register, on a clock shared by all clients. */
interface Interval {
  from: number;
  /** Infinity if no response arrived, because the operation may take effect at any later time. */
  to: number;
}

/** `undefined` means that the register does not exist. */
interface Operation extends Interval {
  value: string | undefined;
}

/**
 * One register's writes and reads. Every written value is unique, except `undefined`, which represents a
 * deletion.
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

  /**
   * Returns the reads that no order of the operations can explain: reads of an unknown or overwritten value,
   * and reads of a value older than that of an earlier read.
   */
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
          // Deletions are indistinguishable, so a read cannot be matched to a specific deletion.
          isBefore(read, later.read) && later.read.value !== undefined && isBefore(later.source, source),
      );
      return earlier ? [`${describe(later.read)} after ${describe(earlier.read)}`] : [];
    });
    return [...unexplained, ...backwards];
  }

  /**
   * Returns the write of this value, if it started before the read ended and was not overwritten before the
   * read started.
   */
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
