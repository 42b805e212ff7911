import type { Clock } from '../../shared/ports/clock.js';

/** A holder that has not driven for this long loses the lease to the first request. */
export const HANDOVER_MS = 5000;

/**
 * Numbered lease for manual drive, held by one client at a time. A client obtains the lease when it is free,
 * when its holder hands it over, or when its holder has not driven for five seconds. It is never taken from a
 * client that is driving.
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

  /** Clients that have requested the lease, oldest request first. */
  get asking(): readonly LeaseClient[] {
    return this.#asking;
  }

  /** The number of the lease that `client` holds; 0 = none. */
  numberOf(client: LeaseClient): number {
    return client === this.#holder ? this.#number : 0;
  }

  /** Grants the lease if it is available; otherwise queues the request. */
  take(client: LeaseClient): void {
    if (client === this.#holder || this.#asking.includes(client)) return;
    this.#asking.push(client);
    this.settle();
  }

  /**
   * Grants the lease to the oldest request if no client holds it, or its holder is idle for `HANDOVER_MS`.
   */
  settle(): void {
    const [first] = this.#asking;
    const isDue = this.#clock.now() - this.#droveAtMs >= HANDOVER_MS;
    if (first !== undefined && (this.#holder === undefined || isDue)) this.#grant(first);
  }

  /** Records that the holder is driving. */
  touch(): void {
    this.#droveAtMs = this.#clock.now();
  }

  /** Grants the lease to the oldest request at the holder's request. */
  handOver(): void {
    const [first] = this.#asking;
    if (first !== undefined) this.#grant(first);
  }

  /** Ends the lease without granting the next request: the cause may forbid driving altogether. */
  end(): void {
    this.#holder = undefined;
  }

  refuseAll(): void {
    this.#asking = [];
  }

  /** Removes `client` as holder and as requester. */
  leave(client: LeaseClient): void {
    this.#asking = this.#asking.filter((other) => other !== client);
    if (client === this.#holder) this.end();
    this.settle();
  }

  #grant(client: LeaseClient): void {
    this.#asking = this.#asking.filter((other) => other !== client);
    this.#holder = client;
    this.#number += 1;
    this.touch();
  }
}
