import type { PaymentProvider } from '../../../src/shared/ports/payments.js';

/** Wraps a provider with hooks that run before and after `create`. */
export function killingProvider(
  provider: PaymentProvider,
  before: (() => Promise<void>) | undefined,
  after: (() => Promise<void>) | undefined,
): PaymentProvider {
  return {
    name: provider.name,
    get: (ref) => provider.get(ref),
    expire: (ref) => provider.expire(ref),
    findByTransaction: (id, sinceMs) => provider.findByTransaction(id, sinceMs),
    async create(request) {
      await before?.();
      const checkout = await provider.create(request);
      await after?.();
      return checkout;
    },
  };
}
