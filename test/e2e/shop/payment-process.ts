import { openStripe } from '../../../src/adapters/payments/stripe.js';
import { priceBook } from '../../../src/shop/shop.js';
import { killingProvider } from '../../unit/shop/killing-provider.js';
import { openTestApp } from '../../unit/shop/test-app.js';

/**
 * Resumes any unfinished payment of the previous process, then starts a payment and kills itself midway:
 * `node payment-process.js DIR before|after [STRIPE_URL]`.
 */
const [, , dir = '', when = 'before', url] = process.argv;
const armed = { is: false };
const die = async (): Promise<void> => {
  if (armed.is) process.kill(process.pid, 'SIGKILL');
  // The signal may not take effect until the next iteration of the event loop.
  if (armed.is) await new Promise(() => {});
};
const testApp = await openTestApp(dir, {
  ...(url === undefined
    ? {}
    : {
        provider: async (store) =>
          killingProvider(
            await openStripe({ apiKey: 'sk_test_1', prices: priceBook(store), url }),
            when === 'before' ? die : undefined,
            when === 'after' ? die : undefined,
          ),
      }),
});
if (url === undefined) {
  const hook = async (call: string): Promise<void> => (call === 'create' ? die() : undefined);
  if (when === 'before') testApp.faults.before = hook;
  else testApp.faults.after = hook;
}
await testApp.shop.reconciler.run();
armed.is = true;
await testApp.pay();
