import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Hint } from '../../shared/ports/payments.js';
import type { Store } from '../../shared/ports/store.js';
import type { PaymentReads } from '../reads.js';
import type { ProviderCalls } from './provider-calls.js';

const INTERVAL_MS = 300_000;
const FIRST_MS = 5000;
/**
 * Overlap between two reads, because an event can be listed some time after it was created, and the two clocks may
 * differ.
 */
const OVERLAP_MS = 600_000;
/** Stripe lists the events of the last 30 days. */
const MAX_AGE_MS = 30 * 86_400_000;
/** The time of the last read is stored at most once per interval, so that an idle gateway rarely writes. */
const SAVE_INTERVAL_MS = 3_600_000;

interface FeedDeps {
  store: Store;
  reads: PaymentReads;
  calls: ProviderCalls;
  handle: (hint: Hint) => Promise<void>;
  clock: Clock;
  log: Log;
}

/**
 * Reads the provider's list of events, because a gateway without a public address receives no webhooks, and
 * because webhooks can be lost. Completed payments are not polled one by one. An event is processed once,
 * however often it arrives.
 */
export class PaymentEventFeed {
  readonly #o: FeedDeps;
  #timers: Cancel[] = [];
  #round: Promise<void> | undefined;
  #readAt: number | undefined;
  #hasFailed = false;

  constructor(deps: FeedDeps) {
    this.#o = deps;
  }

  /** Does nothing on a read-only store. */
  start(): void {
    const { clock, store } = this.#o;
    if (store.status().readOnly) return;
    this.#timers = [
      clock.after(FIRST_MS, () => void this.run()),
      clock.every(INTERVAL_MS, () => void this.run()),
    ];
  }

  close(): void {
    for (const cancel of this.#timers) cancel();
  }

  /** Never rejects. After a failure, the next round reads the same events again. */
  run(): Promise<void> {
    this.#round ??= this.#read()
      .then(() => {
        this.#hasFailed = false;
      })
      .catch((error: unknown) => {
        if (!this.#hasFailed) this.#o.log.warn('payment.events_failed', { reason: messageOf(error) });
        this.#hasFailed = true;
      })
      .finally(() => {
        this.#round = undefined;
      });
    return this.#round;
  }

  async #read(): Promise<void> {
    const { store, reads, calls, handle, clock } = this.#o;
    const now = Math.trunc(clock.wallTime());
    const saved = reads.eventsReadAt();
    const last = Math.min(this.#readAt ?? saved ?? 0, now);
    const since = Math.max(last - OVERLAP_MS, now - MAX_AGE_MS);
    const hints = await calls.call(async (provider) => (await provider.recentHints?.(since)) ?? []);
    for (const hint of hints) await handle(hint);
    this.#readAt = now;
    const isDue = saved === undefined || Math.abs(now - saved) >= SAVE_INTERVAL_MS;
    if (isDue) await store.write('shop.saveEventsRead', { at: now });
  }
}
