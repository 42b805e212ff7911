import { messageOf } from '../shared/errors.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import type { PaymentProvider, PriceBook } from '../shared/ports/payments.js';
import type { Store } from '../shared/ports/store.js';
import { Catalogue } from './catalogue/catalogue.js';
import { Orders } from './orders/orders.js';
import { CheckoutCreation } from './payments/checkout-creation.js';
import { PaymentEventFeed } from './payments/event-feed.js';
import { Payments } from './payments/payments.js';
import { ProviderCalls } from './payments/provider-calls.js';
import { Reconciler } from './payments/reconciler.js';
import { PaymentReads } from './reads.js';
import type { PriceRequest } from './writes.js';

interface ShopOptions {
  store: Store;
  provider: PaymentProvider;
  currency: string;
  /** If true, only pending payments can be changed manually. */
  isStrict?: boolean;
  clock: Clock;
  log: Log;
  /** Deadline for a provider call; default 15 s. */
  deadlineMs?: number;
}

/** Maximum concurrent provider calls for reconciler checks and for repeated idempotency keys. */
const MAX_RECONCILER_CALLS = 4;
/** Payments that one user or key can create at the same time. */
const MAX_CREATIONS_PER_CALLER = 8;
const MAX_STATUS_CALLS = 8;

export class Shop {
  readonly currency: string;
  readonly provider: PaymentProvider;
  readonly catalogue: Catalogue;
  readonly orders: Orders;
  readonly payments: Payments;
  readonly reads: PaymentReads;
  readonly reconciler: Reconciler;
  readonly eventFeed: PaymentEventFeed;
  readonly #log: Log;

  constructor(options: ShopOptions) {
    const { store, provider, currency, isStrict = false, clock, log, deadlineMs } = options;
    this.currency = currency;
    this.provider = provider;
    this.#log = log;
    this.catalogue = new Catalogue(options);
    this.orders = new Orders(options);
    const reads = new PaymentReads(store.read);
    this.reads = reads;
    const limit = { provider, clock, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
    const backgroundCalls = new ProviderCalls({ ...limit, maxConcurrent: MAX_RECONCILER_CALLS });
    const inProgress = new Set<string>();
    const shared = { store, reads, provider, inProgress, clock, log };
    const creation = new CheckoutCreation({ ...shared, calls: backgroundCalls });
    this.reconciler = new Reconciler({ ...shared, calls: backgroundCalls, creation });
    this.payments = new Payments({
      ...shared,
      creation,
      currency,
      isStrict,
      reconciler: this.reconciler,
      creationCalls: new ProviderCalls({ ...limit, maxPerCaller: MAX_CREATIONS_PER_CALLER }),
      statusCalls: new ProviderCalls({ ...limit, maxConcurrent: MAX_STATUS_CALLS }),
    });
    this.eventFeed = new PaymentEventFeed({
      store,
      reads,
      clock,
      log,
      calls: backgroundCalls,
      handle: (hint) => this.payments.handleHint(hint),
    });
  }

  /** Never rejects, because the gateway must start even if the shop fails to start. */
  async start(): Promise<void> {
    this.reconciler.start();
    if (this.provider.recentHints) this.eventFeed.start();
    await this.catalogue.seed().catch((error: unknown) => {
      this.#log.error('shop.seed_failed', { reason: messageOf(error) });
    });
  }

  close(): void {
    this.reconciler.close();
    this.eventFeed.close();
  }
}

export function priceBook(store: Store): PriceBook {
  const reads = new PaymentReads(store.read);
  return {
    find: (provider, currency, amountMinor) => reads.price(provider, currency, amountMinor),
    async save(provider, currency, amountMinor, ref) {
      const request: PriceRequest = { provider, currency, amountMinor, ref };
      await store.write('shop.savePrice', request);
    },
  };
}
