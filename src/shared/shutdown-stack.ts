/** What was opened, to be closed again: last first. Each close is noted right after its open. */
export class ShutdownStack {
  readonly #steps: [string, () => unknown][] = [];

  /** `name` tells in the log which close failed. */
  defer(name: string, close: () => unknown): void {
    this.#steps.unshift([name, close]);
  }

  /** Closes everything, one after the other; what fails is told and keeps nothing else open. Never rejects. */
  async closeAll(onFailure: (name: string, error: unknown) => void): Promise<void> {
    for (const [name, close] of this.#steps.splice(0)) {
      try {
        await close();
      } catch (error) {
        onFailure(name, error);
      }
    }
  }
}
