import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Announce, Announcement } from '../../shared/ports/discovery.js';
import type { Log } from '../../shared/ports/log.js';

/** A cable that is plugged in later, and a lease that brings another address, are noticed within this time. */
const LOOK_EVERY_MS = 10_000;

export interface DiscoveryDeps {
  announce: Announce;
  /** What the network shall be told now; undefined = nothing. */
  wanted: () => Announcement | undefined;
  /** The addresses under which this machine is reached; none without a network. */
  addresses: () => readonly string[];
  clock: Clock;
  log: Log;
}

/** Keeps the local network told where the gateway is. That it cannot is noted in the log, and no fault: nobody needs it to drive. */
export class Discovery {
  #deps: DiscoveryDeps;
  #told = '';
  #trouble = '';
  #current: Awaited<ReturnType<Announce>> | undefined;
  #isClosing = false;
  #work: Promise<void> = Promise.resolve();
  #cancel: Cancel = () => undefined;

  constructor(deps: DiscoveryDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#cancel = this.#deps.clock.every(LOOK_EVERY_MS, () => this.refresh());
    this.refresh();
  }

  /** Something that is told may have changed. Never rejects. */
  refresh(): Promise<void> {
    this.#work = this.#work.then(() => this.#refresh()).catch((error: unknown) => this.#note(error));
    return this.#work;
  }

  /** Takes everything back. */
  close(): Promise<void> {
    this.#cancel();
    this.#isClosing = true;
    return this.refresh();
  }

  async #refresh(): Promise<void> {
    const addresses = this.#deps.addresses();
    const wanted = this.#isClosing || addresses.length === 0 ? undefined : this.#deps.wanted();
    const told = wanted ? JSON.stringify([wanted, addresses]) : '';
    if (told === this.#told) return;
    this.#told = told;
    const before = this.#current;
    this.#current = undefined;
    await before?.close();
    if (!wanted) return;
    this.#current = await this.#deps.announce(wanted);
    this.#trouble = '';
    this.#deps.log.info('discovery.announced', { ...wanted });
  }

  /** The next look tries again; only what is new is logged. */
  #note(error: unknown): void {
    this.#told = '';
    const reason = messageOf(error);
    if (reason !== this.#trouble) this.#deps.log.warn('discovery.announce_failed', { reason });
    this.#trouble = reason;
  }
}
