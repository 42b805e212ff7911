import type { Cancel, Clock } from '../shared/ports/clock.js';
import type { AlarmEvent, EventGroup } from './alarm.js';

const WINDOW_MS = 60_000;

/**
 * Reports the first event of each kind from a cart immediately, and further events within 60 s as one group
 * at the end of that period, so that a chattering input does not cause hundreds of alarms.
 */
export class Coalescer {
  readonly #clock: Clock;
  readonly #report: (group: EventGroup) => void;
  readonly #repeats = new Map<string, EventGroup | undefined>();
  readonly #timers = new Map<string, Cancel>();

  constructor(clock: Clock, report: (group: EventGroup) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  add(event: AlarmEvent): void {
    const key = `${event.kind} ${event.cartID}`;
    if (!this.#timers.has(key)) {
      this.#wait(key);
      this.#report({ event, count: 1, since: event.at });
      return;
    }
    const { count = 0, since = event.at } = this.#repeats.get(key) ?? {};
    this.#repeats.set(key, { event, count: count + 1, since });
  }

  close(): void {
    for (const [key, cancel] of this.#timers) {
      cancel();
      this.#reportRepeats(key);
    }
    this.#timers.clear();
  }

  #wait(key: string): void {
    const end = (): void => {
      this.#timers.delete(key);
      if (this.#reportRepeats(key)) this.#wait(key);
    };
    this.#timers.set(key, this.#clock.after(WINDOW_MS, end));
  }

  #reportRepeats(key: string): boolean {
    const group = this.#repeats.get(key);
    this.#repeats.delete(key);
    if (group) this.#report(group);
    return group !== undefined;
  }
}
