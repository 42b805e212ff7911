/** Shutdown steps, which run in reverse order of registration. */
export class ShutdownStack {
  readonly #steps: [string, () => unknown][] = [];

  /** @param name identifies the step in the log if it fails. */
  defer(name: string, close: () => unknown): void {
    this.#steps.unshift([name, close]);
  }

  /** Runs the steps one at a time and reports failures to `onFailure`. Never rejects. */
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
