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
    const reads = this.#reads
      .toSorted((a, b) => a.from - b.from)
      .map((read) => ({ read, sources: this.#possibleSources(read) }));
    return reads.flatMap(({ read, sources }, at) => {
      if (sources.length === 0) return [describe(read)];
      const newer = reads
        .slice(Math.max(0, at - 100), at)
        .find((earlier) => isBefore(earlier.read, read) && areAllBefore(sources, earlier.sources));
      return newer ? [`${describe(read)} after ${describe(newer.read)}`] : [];
    });
  }

  /**
   * Returns the writes of this value that started before the read ended and were not overwritten before the
   * read started. More than one is possible if the register did not exist, because deletions are
   * indistinguishable.
   */
  #possibleSources(read: Operation): Operation[] {
    return this.#writes.filter(
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

/** Returns false if `later` is empty. */
function areAllBefore(earlier: readonly Interval[], later: readonly Interval[]): boolean {
  return later.length > 0 && earlier.every((one) => later.every((other) => isBefore(one, other)));
}

function describe({ from, to, value }: Operation): string {
  return `${value ?? 'nothing'} read between ${from} and ${to}`;
}
