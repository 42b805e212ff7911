import type { Clock } from '../../shared/ports/clock.js';

/** A holder that has not driven for this long loses the lease to the first client that requests it. */
export const HANDOVER_MS = 5000;

/**
 * A numbered lease for manual drive, held by one client at a time. A client obtains the lease when no client
 * holds it, when the holder hands it over, or when the holder has not driven for five seconds. The lease is
 * never taken from a client that is driving.
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

  get asking(): readonly LeaseClient[] {
    return this.#asking;
  }

  /** The number of the lease that `client` holds; 0 if it holds none. */
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
   * Grants the lease to the client with the oldest request if no client holds it or if the holder has not
   * driven for `HANDOVER_MS`.
   */
  settle(): void {
    const [first] = this.#asking;
    const isDue = this.#clock.now() - this.#droveAtMs >= HANDOVER_MS;
    if (first !== undefined && (this.#holder === undefined || isDue)) this.#grant(first);
  }

  touch(): void {
    this.#droveAtMs = this.#clock.now();
  }

  /** Hands the lease from its holder to the client with the oldest request. */
  handOver(): void {
    const [first] = this.#asking;
    if (first !== undefined) this.#grant(first);
  }

  /** Ends the lease. The next request is not granted, because the cause may forbid driving altogether. */
  end(): void {
    this.#holder = undefined;
  }

  refuseAll(): void {
    this.#asking = [];
  }

  /** Removes `client` as holder and from the list of requests. */
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
