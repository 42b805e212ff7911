/**
 * Waits for the board to acknowledge that the cart brakes. The driver does not resend a speed command: the
 * next one replaces it. Therefore, any packet that is sent after the stop can confirm the stop.
 */
export class BrakeAck {
  #promise: Promise<void> = Promise.resolve();
  #waiting: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  /** Called before the first packet of the stop is sent. Stops that wait at the same time share a promise. */
  wait(): Promise<void> {
    if (!this.#waiting) {
      this.#promise = new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
      });
      // Callers can ignore the outcome of a stop.
      this.#promise.catch(() => undefined);
    }
    return this.#promise;
  }

  /** Called for every speed command. One that is not acknowledged does not fail the stop. */
  onSpeed(written: Promise<void>): void {
    const waiting = this.#waiting;
    written.then(
      () => {
        waiting?.resolve();
        if (this.#waiting === waiting) this.#waiting = undefined;
      },
      () => undefined,
    );
  }

  /** Called when the board is stopped, which ends the braking. The board's answer is final. */
  onStop(stopped: Promise<void>): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    stopped.then(
      () => waiting?.resolve(),
      (error: unknown) => waiting?.reject(error),
    );
  }
}
