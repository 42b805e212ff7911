import type { Cancel, Clock } from '../../src/shared/ports/clock.js';

interface Timer {
  dueMs: number;
  /**
   * As in Node, timers that are due at the same time run in order of creation, which is the order of their
   * IDs.
   */
  id: number;
  periodMs?: number;
  run: () => void;
}

/** A clock that advances only through its methods. */
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

  /** Advances both clocks and runs each timer at its due time, in order. */
  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (let timer = this.#nextDue(endMs); timer; timer = this.#nextDue(endMs)) {
      this.#moveTo(timer.dueMs);
      if (timer.periodMs === undefined) this.#timers.delete(timer.id);
      // As in Node, intervals do not catch up on missed runs.
      else timer.dueMs = this.#nowMs + timer.periodMs;
      timer.run();
    }
    this.#moveTo(endMs);
  }

  /**
   * Advances both clocks but runs no timers, as when the event loop is blocked. Due timers run on the next
   * `advance`.
   */
  stall(ms: number): void {
    this.#moveTo(this.#nowMs + ms);
  }

  /** Steps only the wall clock, like an NTP correction. */
  stepWallTime(ms: number): void {
    this.#wallMs += ms;
  }

  /** Number of pending timers; 0 once everything under test has been closed. */
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
