/** Runs asynchronous jobs one after the other, in the order in which they came. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the job when all earlier ones have ended, well or not; settles as the job does. */
  take<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(job);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Resolves when every job that has come so far has ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
