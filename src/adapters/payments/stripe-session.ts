import type { Stripe } from 'stripe';
import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import type { Checkout, Money, PaymentStatus, PriceBook } from '../../shop/payments/provider.js';

/**
 * Takes an answer for a Checkout Session only if it is one. The SDK hands on an error page of a proxy as success when its
 * JSON has no `error` member, whatever the HTTP status was, and so it does with any other JSON.
 * @param transactionId what must stand in its metadata, when that is known.
 */
export function readSession(answer: unknown, transactionId?: string): Checkout {
  requireSuccess(answer);
  if (!isJsonObject(answer)) throw junk('no object');
  const { id, status, payment_status: paid, url } = answer;
  if (typeof id !== 'string' || !/^cs_[\w-]+$/.test(id)) throw junk('no checkout session');
  if (typeof status !== 'string' || typeof paid !== 'string') throw junk('a session without status');
  if (transactionId !== undefined && transactionOf(answer) !== transactionId) {
    throw junk('the session of another transaction');
  }
  const total = totalOf(answer);
  const checkout: Checkout = {
    ...{ ref: id, status: statusOf(status, paid), detail: `${status}/${paid}` },
    ...(total ? { total } : {}),
  };
  if (typeof url === 'string' && /^https?:\/\//.test(url)) checkout.url = url;
  if (status === 'open' && checkout.url === undefined) throw junk('an open session without an address');
  return checkout;
}

/** Nullable in Stripe's API: without it the session collects the one price that it was created with. */
function totalOf({ amount_total: amountMinor, currency }: Record<string, unknown>): Money | undefined {
  if (amountMinor === undefined || amountMinor === null) return undefined;
  const isAmount = typeof amountMinor === 'number' && Number.isSafeInteger(amountMinor) && amountMinor >= 0;
  if (!isAmount || typeof currency !== 'string') throw junk('a session without an amount');
  return { amountMinor, currency: currency.toUpperCase() };
}

/** Checks the HTTP status of an answer, which the SDK does not always do. */
function requireSuccess(answer: unknown): void {
  if (!isJsonObject(answer)) throw junk('no object');
  const { lastResponse } = answer;
  const code = isJsonObject(lastResponse) ? lastResponse.statusCode : undefined;
  if (code !== 200 && code !== 201) throw junk(`HTTP status ${String(code)}`);
}

/** Our transaction id, from an object's metadata. */
export function transactionOf(object: Record<string, unknown>): string | undefined {
  const { metadata } = object;
  const id = isJsonObject(metadata) ? metadata.transaction_id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** `complete` and unpaid is a method that takes days. */
function statusOf(status: string, paid: string): PaymentStatus {
  if (status === 'expired') return 'failed';
  if (status === 'open') return 'pending';
  if (status !== 'complete') throw junk(`the session status "${status.slice(0, 40)}"`);
  if (paid === 'paid' || paid === 'no_payment_required') return 'completed';
  if (paid === 'unpaid') return 'pending';
  throw junk(`the payment status "${paid.slice(0, 40)}"`);
}

/** An answer that is not what was asked for: nobody knows what was done. */
function junk(what: string): GatewayError {
  return new GatewayError('PROVIDER_UNCLEAR', `Stripe answered with something else: ${what}`);
}

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
