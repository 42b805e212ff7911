import type { Clock } from '../../shared/ports/clock.js';

/** A holder that has not driven for this long loses the lease to the client with the oldest request. */
export const HANDOVER_MS = 5000;

/**
 * A lease held by one client at a time, which can hand it over. A request takes the lease from a holder that
 * has been idle for 5 s, but never from a holder that is driving.
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

  /** True if a request would take the lease from its holder immediately. */
  get isIdle(): boolean {
    return this.#holder !== undefined && this.#clock.now() - this.#droveAtMs >= HANDOVER_MS;
  }

  numberOf(client: LeaseClient): number {
    return client === this.#holder ? this.#number : 0;
  }

  /** If the lease is not available, the request is queued. */
  take(client: LeaseClient): void {
    if (client === this.#holder || this.#asking.includes(client)) return;
    this.#asking.push(client);
    this.settle();
  }

  /** Grants an available lease to the oldest request; a lease unused for `HANDOVER_MS` is available. */
  settle(): void {
    const [first] = this.#asking;
    if (first !== undefined && (this.#holder === undefined || this.isIdle)) this.#grant(first);
  }

  touch(): void {
    this.#droveAtMs = this.#clock.now();
  }

  handOver(): void {
    const [first] = this.#asking;
    if (first !== undefined) this.#grant(first);
  }

  /** Does not grant the next request, because the reason for ending the lease may forbid all driving. */
  end(): void {
    this.#holder = undefined;
  }

  refuseAll(): void {
    this.#asking = [];
  }

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
