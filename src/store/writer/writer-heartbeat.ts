import type { Cancel, Clock } from '../../shared/ports/ports.js';

const ASK_EVERY_MS = 1000;

interface PulseOptions {
  clock: Clock;
  /** Asks the thread for a sign of life. */
  ask(): void;
}

/** Whether a thread still takes its messages. One question is on its way at a time. */
export class WriterHeartbeat {
  readonly #o: PulseOptions;
  #askedAtMs: number | undefined;
  #cancel: Cancel = () => {};

  constructor(o: PulseOptions) {
    this.#o = o;
  }

  /** How long the thread has owed an answer; 0 when it owes none. */
  get silentMs(): number {
    return this.#askedAtMs === undefined ? 0 : this.#o.clock.now() - this.#askedAtMs;
  }

  start(): void {
    this.#cancel = this.#o.clock.every(ASK_EVERY_MS, () => this.#ask());
  }

  answered(): void {
    this.#askedAtMs = undefined;
  }

  stop(): void {
    this.#cancel();
    this.answered();
  }

  #ask(): void {
    if (this.#askedAtMs !== undefined) return;
    this.#askedAtMs = this.#o.clock.now();
    this.#o.ask();
  }
}
