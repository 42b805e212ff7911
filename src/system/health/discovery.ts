import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Announce, Announcement } from '../../shared/ports/discovery.js';
import type { Log } from '../../shared/ports/log.js';

/** Maximum time until a newly connected cable or a new DHCP lease is detected. */
const CHECK_INTERVAL_MS = 10_000;

export interface DiscoveryDeps {
  announce: Announce;
  /** Returns undefined if announcements are disabled. */
  announcement: () => Announcement | undefined;
  addresses: () => readonly string[];
  clock: Clock;
  log: Log;
}

/** Announces the gateway through mDNS. Failures are only logged, because driving does not depend on mDNS. */
export class Discovery {
  #deps: DiscoveryDeps;
  #announced = '';
  #lastReason = '';
  #registration: Awaited<ReturnType<Announce>> | undefined;
  #isClosing = false;
  #work: Promise<void> = Promise.resolve();
  #cancel: Cancel = () => undefined;

  constructor(deps: DiscoveryDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#cancel = this.#deps.clock.every(CHECK_INTERVAL_MS, () => this.refresh());
    this.refresh();
  }

  /** Updates the announcement if its content or the addresses have changed. Never rejects. */
  refresh(): Promise<void> {
    this.#work = this.#work.then(() => this.#refresh()).catch((error: unknown) => this.#logFailure(error));
    return this.#work;
  }

  close(): Promise<void> {
    this.#cancel();
    this.#isClosing = true;
    return this.refresh();
  }

  async #refresh(): Promise<void> {
    const addresses = this.#deps.addresses();
    const announcement = this.#isClosing || addresses.length === 0 ? undefined : this.#deps.announcement();
    const key = announcement ? JSON.stringify([announcement, addresses]) : '';
    if (key === this.#announced) return;
    this.#announced = key;
    const previous = this.#registration;
    this.#registration = undefined;
    await previous?.close();
    if (!announcement) return;
    this.#registration = await this.#deps.announce(announcement);
    this.#lastReason = '';
    this.#deps.log.info('discovery.announced', { ...announcement });
  }

  /** Logs a failure only if its reason is new, because every check retries the announcement. */
  #logFailure(error: unknown): void {
    this.#announced = '';
    const reason = messageOf(error);
    if (reason !== this.#lastReason) this.#deps.log.warn('discovery.announce_failed', { reason });
    this.#lastReason = reason;
  }
}
