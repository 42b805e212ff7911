/** Runs shutdown steps in reverse order of registration. */
export class ShutdownStack {
  readonly #steps: [string, () => unknown][] = [];

  defer(name: string, close: () => unknown): void {
    this.#steps.unshift([name, close]);
  }

  /** Runs the steps one at a time. Never rejects: failures are passed to `onFailure`. */
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
