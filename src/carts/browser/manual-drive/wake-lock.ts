/**
 * Keeps the screen on while the operator has control and the page is visible. If the browser does not support
 * wake locks or denies the request, the screen turns off as usual.
 */
export class WakeLock {
  #lock: Promise<WakeLockSentinel | undefined> | undefined;
  #isWanted = false;

  constructor() {
    document.addEventListener('visibilitychange', () => this.#update());
  }

  keep(isWanted: boolean): void {
    if (this.#isWanted === isWanted) return;
    this.#isWanted = isWanted;
    this.#update();
  }

  #update(): void {
    const isNeeded = this.#isWanted && document.visibilityState === 'visible';
    if (isNeeded && !this.#lock) this.#lock = request();
    if (isNeeded || !this.#lock) return;
    void this.#lock.then((lock) => lock?.release()).catch(() => undefined);
    this.#lock = undefined;
  }
}

/** Resolves with undefined if the browser does not support wake locks or denies the request. */
async function request(): Promise<WakeLockSentinel | undefined> {
  // `wakeLock` is missing if the page was opened over plain HTTP.
  const { wakeLock } = navigator as Partial<Pick<Navigator, 'wakeLock'>>;
  return wakeLock?.request('screen').catch(() => undefined);
}
