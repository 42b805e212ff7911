import { Sandbox } from '../../adapters/payments/sandbox.js';
import { openStripe } from '../../adapters/payments/stripe.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { PaymentProvider, SandboxCheckouts } from '../../shared/ports/payments.js';
import type { Store } from '../../shared/ports/store.js';
import { type PaymentsConfig, priceBook, Shop, UNPAID_RETENTION_MS } from '../../shop/index.js';
import { type PruneJob, Pruner, type PrunerOptions } from '../../system/index.js';
import { secretOf } from '../start/secrets.js';

const PRUNING: readonly PruneJob[] = ['shop.pruneLines', 'shop.prunePayments', 'sandbox.prune'].map(
  (operation) => ({ operation, keepMs: UNPAID_RETENTION_MS }),
);

interface ShopDeps {
  config: { payments?: PaymentsConfig | undefined };
  store: Store;
  clock: Clock;
  log: Log;
  env?: NodeJS.ProcessEnv;
}

/** Key for test servers that implement Stripe's protocol; a real key must never be sent to such servers. */
const TEST_KEY = 'sk_test_sandbox';

export interface ShopWithSandbox {
  shop: Shop;
  /** Undefined if a real payment provider is configured. */
  sandbox?: SandboxCheckouts;
}

/** Rejects with `CONFIG_INVALID` if the payment configuration is invalid. */
export async function openShop(parts: ShopDeps): Promise<ShopWithSandbox> {
  const { config, store, clock, log } = parts;
  const { currency = 'EUR', strictTransitions: isStrict = false, provider: kind } = config.payments ?? {};
  const sandbox = kind === 'stripe' ? undefined : new Sandbox({ store, clock });
  const provider = sandbox ?? (await openStripeProvider(parts));
  const shop = new Shop({ store, provider, currency, isStrict, clock, log });
  await shop.start();
  return { shop, ...(sandbox ? { sandbox } : {}) };
}

export function pruneUnpaid({ store, clock, log }: Omit<PrunerOptions, 'jobs'>): Pruner {
  const pruner = new Pruner({ store, clock, log, jobs: PRUNING });
  pruner.start();
  return pruner;
}

async function openStripeProvider({ config, store, env = process.env }: ShopDeps): Promise<PaymentProvider> {
  const { stripeUrl: url } = config.payments ?? {};
  const key = secretOf(env, 'STRIPE_API_KEY', 'stripe-api-key');
  const webhookSecret = secretOf(env, 'STRIPE_WEBHOOK_SECRET', 'stripe-webhook-secret');
  if (url !== undefined && key !== undefined) {
    throw invalid('STRIPE_API_KEY and payments.stripeUrl are both set', 'Remove one of them.');
  }
  const apiKey = url === undefined ? key : TEST_KEY;
  if (apiKey === undefined) {
    throw invalid(
      'payments.provider is stripe, but STRIPE_API_KEY is not set',
      'Set STRIPE_API_KEY, or set payments.provider to sandbox.',
    );
  }
  return await openStripe({
    apiKey,
    prices: priceBook(store),
    ...(webhookSecret === undefined ? {} : { webhookSecret }),
    ...(url === undefined ? {} : { url }),
  });
}

function invalid(message: string, hint: string): GatewayError {
  return new GatewayError('CONFIG_INVALID', message, { hint });
}
