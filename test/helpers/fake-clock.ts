import type { Cancel, Clock } from '../../src/shared/ports/ports.js';

interface Timer {
  dueMs: number;
  /** Order of creation: timers that are due at the same moment run in it, as Node's do. */
  id: number;
  periodMs?: number;
  run: () => void;
}

/** A clock that only moves when a test turns the crank. Starts at 1,000,000 ms monotonic, 2026-01-01T00:00:00Z wall time. */
export class FakeClock implements Clock {
  #nowMs = 1_000_000;
  #wallMs = Date.UTC(2026, 0, 1);
  #nextId = 1;
  #timers = new Map<number, Timer>();

  now(): number {
    return this.#nowMs;
  }

  wallTime(): number {
    return this.#wallMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    return this.#add({ dueMs: this.#nowMs + Math.max(0, delayMs), id: this.#nextId++, run });
  }

  every(periodMs: number, run: () => void): Cancel {
    if (periodMs <= 0) throw new RangeError('a period must be longer than 0 ms');
    return this.#add({ dueMs: this.#nowMs + periodMs, id: this.#nextId++, periodMs, run });
  }

  /** Moves both clocks forward and runs every timer that falls due on the way, each at its own moment, in order. */
  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (let timer = this.#nextDue(endMs); timer; timer = this.#nextDue(endMs)) {
      this.#moveTo(timer.dueMs);
      if (timer.periodMs === undefined) this.#timers.delete(timer.id);
      // Node's intervals do not make up for what they missed.
      else timer.dueMs = this.#nowMs + timer.periodMs;
      timer.run();
    }
    this.#moveTo(endMs);
  }

  /** Lets time pass while nothing runs, as a blocked event loop does; the timers run late, with the next `advance`. */
  stall(ms: number): void {
    this.#moveTo(this.#nowMs + ms);
  }

  /** Steps the wall clock alone, as an NTP correction does. */
  stepWallTime(ms: number): void {
    this.#wallMs += ms;
  }

  /** How many timers are set: 0 after everything under test was closed. */
  get timers(): number {
    return this.#timers.size;
  }

  #add(timer: Timer): Cancel {
    this.#timers.set(timer.id, timer);
    return () => void this.#timers.delete(timer.id);
  }

  #moveTo(ms: number): void {
    if (ms <= this.#nowMs) return;
    this.#wallMs += ms - this.#nowMs;
    this.#nowMs = ms;
  }

  #nextDue(endMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers.values()) {
      if (timer.dueMs > endMs) continue;
      if (!next || timer.dueMs < next.dueMs || (timer.dueMs === next.dueMs && timer.id < next.id))
        next = timer;
    }
    return next;
  }
}
