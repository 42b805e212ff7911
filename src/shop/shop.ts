import { messageOf } from '../shared/errors.js';
import type { Clock, Log, Store } from '../shared/ports/ports.js';
import { Catalogue } from './catalogue/catalogue.js';
import { Orders } from './orders/orders.js';
import { ProviderCalls } from './payments/calls.js';
import { Creation } from './payments/creation.js';
import { Payments } from './payments/payments.js';
import type { PaymentProvider, PriceBook } from './payments/provider.js';
import { Reconciler } from './payments/reconciler.js';
import { PaymentReads } from './reads.js';
import type { PriceRequest } from './writes.js';

interface ShopOptions {
  store: Store;
  provider: PaymentProvider;
  currency: string;
  /** Only a pending payment may be set by hand. */
  isStrict?: boolean;
  clock: Clock;
  log: Log;
  /** How long a provider call may take, ms; 15 s when left out. */
  deadlineMs?: number;
}

/** At most so many provider calls by the reconciler: its own round, and buyers who ask again with their key. */
const RECONCILER_CALLS = 4;

/** The game shop: catalogue, baskets, orders, payments. */
export class Shop {
  readonly currency: string;
  readonly provider: PaymentProvider;
  readonly catalogue: Catalogue;
  readonly orders: Orders;
  readonly payments: Payments;
  readonly reads: PaymentReads;
  readonly reconciler: Reconciler;
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
    const quiet = new ProviderCalls({ ...limit, most: RECONCILER_CALLS });
    const busy = new Set<string>();
    const shared = { store, reads, provider, busy, clock, log };
    const creation = new Creation({ ...shared, calls: quiet });
    this.reconciler = new Reconciler({ ...shared, calls: quiet, creation });
    this.payments = new Payments({
      ...{ ...shared, creation, currency, isStrict },
      reconciler: this.reconciler,
      calls: new ProviderCalls(limit),
    });
  }

  /** Fills a new shop, and takes up payments where the last run left them. Never rejects: a shop is no reason to stand still. */
  async start(): Promise<void> {
    this.reconciler.start();
    await this.catalogue.seed().catch((error: unknown) => {
      this.#log.error('shop.not_seeded', { reason: messageOf(error) });
    });
  }

  close(): void {
    this.reconciler.close();
  }
}

/** Where a provider adapter keeps its price ids. */
export function priceBook(store: Store): PriceBook {
  const reads = new PaymentReads(store.read);
  return {
    find: (provider, currency, amountMinor) => reads.price(provider, currency, amountMinor),
    async keep(provider, currency, amountMinor, ref) {
      const request: PriceRequest = { provider, currency, amountMinor, ref };
      await store.write('shop.keepPrice', request);
    },
  };
}
