import { spanText } from '../../shared/span.js';

/** A loop this late cannot be trusted with a moving cart; the controller's own limit of 500 ms is the outer net. */
const LATE_MS = 250;

/** Watches over a loop from inside it: how late did it come. */
export class LoopLagMonitor {
  #periodMs: number;
  #lastMs = 0;
  #fault = '';

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  /** A sentence while the loop was late at its last turn, else empty. */
  get fault(): string {
    return this.#fault;
  }

  begin(nowMs: number): void {
    this.#lastMs = nowMs;
  }

  /** Called once a turn; true when this turn came too late. */
  tick(nowMs: number): boolean {
    const lateMs = nowMs - this.#lastMs - this.#periodMs;
    this.#lastMs = nowMs;
    const isLate = lateMs > LATE_MS;
    if (isLate) this.#fault = `the control loop was late by ${spanText(lateMs)}`;
    else if (lateMs < this.#periodMs) this.#fault = '';
    return isLate;
  }
}
