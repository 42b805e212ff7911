import type { Clock } from '../../shared/ports/clock.js';

/** A driver who has not driven for this long gives way to whoever asks. */
export const GIVES_WAY_MS = 5000;

/**
 * Who may drive by hand: one at a time, by a lease with a number. It is taken when it is free, handed over by its holder,
 * or given to whoever asks when its holder has not driven for five seconds. Nobody can take it from somebody who drives.
 * Pure; `Seat` is whatever tells one page from another.
 */
export class DriveLease<LeaseClient> {
  #clock: Clock;
  #number = 0;
  #holder: LeaseClient | undefined;
  #droveAtMs = 0;
  #asking: LeaseClient[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get holder(): LeaseClient | undefined {
    return this.#holder;
  }

  /** First come first. */
  get asking(): readonly LeaseClient[] {
    return this.#asking;
  }

  /** The number of the lease that `seat` holds; 0 = it holds none. */
  numberOf(seat: LeaseClient): number {
    return seat === this.#holder ? this.#number : 0;
  }

  /** Gives the lease to `seat` when it is free, and notes the wish when it is not. */
  take(seat: LeaseClient): void {
    if (seat === this.#holder || this.#asking.includes(seat)) return;
    this.#asking.push(seat);
    this.settle();
  }

  /** Gives the lease to the first who asks, when it is free or its holder has been silent for long enough. */
  settle(): void {
    const [first] = this.#asking;
    const isDue = this.#clock.now() - this.#droveAtMs >= GIVES_WAY_MS;
    if (first !== undefined && (this.#holder === undefined || isDue)) this.#give(first);
  }

  /** The holder drives. */
  touch(): void {
    this.#droveAtMs = this.#clock.now();
  }

  /** Gives the lease to the first who asks, by the will of its holder. */
  handOver(): void {
    const [first] = this.#asking;
    if (first !== undefined) this.#give(first);
  }

  /** Ends the lease, whoever holds it. Nobody gets it by that: what ended it may well forbid to drive. */
  end(): void {
    this.#holder = undefined;
  }

  /** Nobody asks any more. */
  refuseAll(): void {
    this.#asking = [];
  }

  /** Takes `seat` out: as the holder, and as one who asks. */
  leave(seat: LeaseClient): void {
    this.#asking = this.#asking.filter((other) => other !== seat);
    if (seat === this.#holder) this.end();
    this.settle();
  }

  #give(seat: LeaseClient): void {
    this.#asking = this.#asking.filter((other) => other !== seat);
    this.#holder = seat;
    this.#number += 1;
    this.touch();
  }
}
