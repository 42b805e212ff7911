import type { Stripe } from 'stripe';
import type { PriceBook } from '../../shop/payments/provider.js';
import { junk, requireSuccess } from './stripe-session.js';

/** Amounts start at 1, so 0 is free for the product that all prices belong to. */
const PRODUCT = { currency: '', amountMinor: 0 } as const;

export interface Prices {
  /** The price of an amount; made on first use, then from the book. */
  priceOf(currency: string, amountMinor: number): Promise<string>;
  /** Forgets what the account does not know, and makes it again. */
  renew(currency: string, amountMinor: number): Promise<string>;
}

/**
 * One standing product, one price for each amount and currency. A race or a crash may make a price twice, which costs
 * nothing.
 * @param account tells accounts apart: the ids of one mean nothing in another.
 */
export function stripePrices(stripe: Stripe, book: PriceBook, account: string): Prices {
  const makeProduct = async (): Promise<string> => {
    const product = await stripe.products.create({ name: 'Order' });
    return idOf(product, 'prod_');
  };
  const productOf = async (): Promise<string> => {
    const known = book.find(account, PRODUCT.currency, PRODUCT.amountMinor);
    if (known !== undefined) return known;
    const ref = await makeProduct();
    await book.keep(account, PRODUCT.currency, PRODUCT.amountMinor, ref);
    return ref;
  };
  const make = async (currency: string, amountMinor: number): Promise<string> => {
    const price = await stripe.prices.create({
      product: await productOf(),
      currency: currency.toLowerCase(),
      unit_amount: amountMinor,
    });
    // Whoever is asked must have understood what for.
    if (price.unit_amount !== amountMinor || price.currency !== currency.toLowerCase()) {
      throw junk('another price');
    }
    const ref = idOf(price, 'price_');
    await book.keep(account, currency, amountMinor, ref);
    return ref;
  };
  return {
    priceOf: async (currency, amountMinor) =>
      book.find(account, currency, amountMinor) ?? (await make(currency, amountMinor)),
    async renew(currency, amountMinor) {
      await book.keep(account, PRODUCT.currency, PRODUCT.amountMinor, await makeProduct());
      return await make(currency, amountMinor);
    },
  };
}

function idOf(object: { id: string }, prefix: string): string {
  requireSuccess(object);
  if (typeof object.id === 'string' && object.id.startsWith(prefix)) return object.id;
  throw junk(`no ${prefix} id`);
}
