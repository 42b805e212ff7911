import type { Cancel, Clock } from '../../shared/ports/ports.js';

const PERIOD_MS = 1000;
const APART_MS = 200;

/** When to report the state: every second, and at once on a change, but never two within 200 ms. */
export class StateThrottle {
  #clock: Clock;
  #report: () => void;
  #cancel: Cancel = () => {};
  #lastMs = Number.NEGATIVE_INFINITY;
  #dueMs = Number.POSITIVE_INFINITY;
  #running = false;

  constructor(clock: Clock, report: () => void) {
    this.#clock = clock;
    this.#report = report;
  }

  start(): void {
    this.#running = true;
    this.#next(this.#clock.now() + PERIOD_MS);
  }

  stop(): void {
    this.#running = false;
    this.#cancel();
  }

  /** Something worth telling has changed. */
  changed(): void {
    if (!this.#running) return;
    const dueMs = this.#lastMs + APART_MS;
    if (this.#clock.now() >= dueMs) this.now();
    else if (dueMs < this.#dueMs) this.#next(dueMs);
  }

  /** Reports whatever the last report's age. */
  now(): void {
    if (!this.#running) return;
    this.#lastMs = this.#clock.now();
    this.#next(this.#lastMs + PERIOD_MS);
    this.#report();
  }

  #next(dueMs: number): void {
    this.#cancel();
    this.#dueMs = dueMs;
    this.#cancel = this.#clock.after(dueMs - this.#clock.now(), () => this.now());
  }
}
