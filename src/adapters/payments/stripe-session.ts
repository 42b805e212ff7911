import type { Stripe } from 'stripe';
import { GatewayError } from '../../shared/errors.js';
import type {
  Checkout,
  FactCode,
  Hint,
  Money,
  PaymentFact,
  PaymentStatus,
  PriceBook,
  Returned,
} from '../../shared/ports/payments.js';
import { isJsonObject } from '../../shared/validation/json.js';

/**
 * Validates a Checkout Session, because the SDK accepts any JSON without an `error` field, such as a proxy's error
 * page. Throws `PROVIDER_UNCLEAR`.
 * @param transactionId if given, must equal the ID in the metadata.
 */
export function readSession(answer: unknown, transactionId?: string): Checkout {
  requireSuccess(answer);
  if (!isJsonObject(answer)) throw unexpected('not an object');
  const { id, status, payment_status: paid, url } = answer;
  if (typeof id !== 'string' || !/^cs_[\w-]+$/.test(id)) throw unexpected('not a checkout session');
  if (typeof status !== 'string' || typeof paid !== 'string') throw unexpected('a session without a status');
  if (transactionId !== undefined && transactionOf(answer) !== transactionId) {
    throw unexpected('a session for a different transaction');
  }
  const total = totalOf(answer);
  const { code, ...state } = statusOf(status, paid);
  const checkout: Checkout = {
    ref: id,
    ...state,
    facts: [{ code, text: `${status}/${paid}` }],
    ...(total ? { total } : {}),
    isProcessing: status === 'complete' && paid === 'unpaid',
  };
  if (status !== 'open') return checkout;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) throw unexpected('an open session without a URL');
  return { ...checkout, url };
}

/** Returns the ID of the session's payment intent; an open session has none. */
export function intentRefOf(answer: unknown): string | undefined {
  const intent = isJsonObject(answer) ? answer.payment_intent : undefined;
  return typeof intent === 'string' && intent.startsWith('pi_') ? intent : undefined;
}

/**
 * Adds the payment intent's result to a session whose payment is being processed. The session alone does not show
 * the result: if a delayed payment fails, the session stays `complete` and `unpaid` permanently.
 * @param answer undefined if the gateway is not permitted to read the payment intent.
 */
export function withIntent(checkout: Checkout, answer: unknown): Checkout {
  const also = (code: FactCode, intent: string): readonly PaymentFact[] => [
    ...checkout.facts,
    { code, text: `payment intent ${intent}` },
  ];
  if (answer === undefined) return { ...checkout, facts: also('transfer-unreadable', 'unreadable') };
  requireSuccess(answer);
  const status = isJsonObject(answer) ? answer.status : undefined;
  if (typeof status !== 'string') throw unexpected('a payment intent without a status');
  switch (status) {
    case 'succeeded':
      return {
        ...checkout,
        facts: also('transfer-succeeded', status),
        status: 'completed',
        isProcessing: false,
      };
    case 'canceled':
      return {
        ...checkout,
        facts: also('transfer-cancelled', status),
        status: 'failed',
        isProcessing: false,
      };
    case 'requires_payment_method':
      return { ...checkout, facts: also('transfer-failed', status), status: 'failed', isProcessing: false };
    default:
      // For example `processing`, or `requires_action` while a voucher has not been paid yet.
      return { ...checkout, facts: also('transfer-pending', status.slice(0, 40)) };
  }
}

/** Returns the charge of a payment intent, or its ID if the response contains no charge object. */
export function chargeOf(intent: unknown): Record<string, unknown> | string | undefined {
  const charge = isJsonObject(intent) ? intent.latest_charge : undefined;
  return isJsonObject(charge) || typeof charge === 'string' ? charge : undefined;
}

/** @param disputes the charge's disputes; undefined if the gateway is not permitted to read them. */
export function returnedOf(charge: Record<string, unknown>, disputes: unknown): Returned {
  const { amount, amount_refunded: refunded, currency, disputed } = charge;
  if (!isAmount(amount) || !isAmount(refunded)) throw unexpected('a charge with an invalid amount');
  const returned = { refundedMinor: Math.min(refunded, amount), disputedMinor: 0, lostMinor: 0 };
  if (disputes === undefined) return { ...returned, disputedMinor: disputed === true ? amount : 0 };
  if (!Array.isArray(disputes)) throw unexpected('no list of disputes');
  for (const dispute of disputes.filter(isJsonObject)) {
    // If the dispute's currency differs from the charge's, the whole charge counts as disputed.
    const isPart = isAmount(dispute.amount) && dispute.currency === currency;
    const part = isPart ? Number(dispute.amount) : amount;
    const outcome = outcomeOf(dispute.status);
    if (outcome === 'open') returned.disputedMinor = Math.min(returned.disputedMinor + part, amount);
    if (outcome === 'lost') returned.lostMinor = Math.min(returned.lostMinor + part, amount);
  }
  return returned;
}

function outcomeOf(status: unknown): 'open' | 'lost' | 'kept' {
  if (status === 'lost') return 'lost';
  const isKept = status === 'won' || status === 'warning_closed' || status === 'prevented';
  return isKept ? 'kept' : 'open';
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Converts an event from a webhook or from the list of events. */
export function stripeHint(event: Record<string, unknown>): Hint {
  const { id, type, data } = event;
  const object = isJsonObject(data) && isJsonObject(data.object) ? data.object : {};
  const transactionId = transactionOf(object);
  const intentRef = intentRefOf(object);
  const { amount_refunded: amountMinor, currency } = object;
  const isRefund = object.object === 'charge' && isAmount(amountMinor) && typeof currency === 'string';
  const text = typeof type === 'string' ? type.slice(0, 100) : 'event';
  return {
    fact: { code: eventCode(text), text },
    ...(typeof id === 'string' ? { eventId: id } : {}),
    ...(typeof object.id === 'string' ? { ref: object.id } : {}),
    ...(transactionId === undefined ? {} : { transactionId }),
    isDelayedFailure: type === 'checkout.session.async_payment_failed',
    ...(intentRef === undefined ? {} : { paymentRef: intentRef }),
    ...(isRefund ? { refunded: { amountMinor, currency: currency.toUpperCase() } } : {}),
  };
}

/** @param type an event's type, such as `charge.refunded`. */
function eventCode(type: string): FactCode {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return 'session-paid';
    case 'checkout.session.async_payment_failed':
      return 'session-failed';
    case 'checkout.session.expired':
      return 'session-expired';
    case 'refund.failed':
      return 'refund-failed';
    case 'charge.dispute.created':
      return 'dispute-opened';
    case 'charge.dispute.closed':
      return 'dispute-closed';
  }
  const isOf = (object: string): boolean => type.startsWith(`${object}.`);
  if (isOf('charge.dispute')) return 'dispute-changed';
  if (type === 'charge.refunded' || isOf('charge.refund') || isOf('refund')) return 'refund-changed';
  return 'other';
}

/** Stripe can return a null total; such a session charges its original price. */
function totalOf({ amount_total: amountMinor, currency }: Record<string, unknown>): Money | undefined {
  if (amountMinor === undefined || amountMinor === null) return undefined;
  if (!isAmount(amountMinor) || typeof currency !== 'string')
    throw unexpected('a session with an invalid amount');
  return { amountMinor, currency: currency.toUpperCase() };
}

/** Checks the HTTP status, which the SDK does not always do. */
function requireSuccess(answer: unknown): void {
  if (!isJsonObject(answer)) throw unexpected('not an object');
  const { lastResponse } = answer;
  const code = isJsonObject(lastResponse) ? lastResponse.statusCode : undefined;
  if (code !== 200 && code !== 201) throw unexpected(`HTTP status ${String(code)}`);
}

export function transactionOf(object: Record<string, unknown>): string | undefined {
  const { metadata } = object;
  const id = isJsonObject(metadata) ? metadata.transaction_id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** `complete` with `unpaid` indicates a delayed payment method; see `withIntent`. */
function statusOf(status: string, paid: string): { status: PaymentStatus; code: FactCode } {
  if (status === 'expired') return { status: 'failed', code: 'expired' };
  if (status === 'open') return { status: 'pending', code: 'open' };
  if (status !== 'complete') throw unexpected(`unknown session status "${status.slice(0, 40)}"`);
  if (paid === 'paid') return { status: 'completed', code: 'paid' };
  if (paid === 'no_payment_required') return { status: 'completed', code: 'nothing-to-pay' };
  if (paid === 'unpaid') return { status: 'pending', code: 'complete' };
  throw unexpected(`unknown payment status "${paid.slice(0, 40)}"`);
}

function unexpected(response: string): GatewayError {
  return new GatewayError('PROVIDER_UNCLEAR', `unexpected response from Stripe: ${response}`);
}

/** Key of the product in the price book. It cannot clash with a price, because no price is 0. */
const PRODUCT = { currency: '', amountMinor: 0 } as const;

export interface Prices {
  priceOf(currency: string, amountMinor: number): Promise<string>;
  /** Recreates a product and a price that were deleted from the account. */
  renew(currency: string, amountMinor: number): Promise<string>;
}

/** Returns the prices of one product, one per currency and amount, stored under `account`. Duplicates are harmless. */
export function stripePrices(stripe: Stripe, book: PriceBook, account: string): Prices {
  const makeProduct = async (): Promise<string> => {
    const product = await stripe.products.create({ name: 'Order' });
    return idOf(product, 'prod_');
  };
  const productOf = async (): Promise<string> => {
    const existing = book.find(account, PRODUCT.currency, PRODUCT.amountMinor);
    if (existing !== undefined) return existing;
    const ref = await makeProduct();
    await book.save(account, PRODUCT.currency, PRODUCT.amountMinor, ref);
    return ref;
  };
  const make = async (currency: string, amountMinor: number): Promise<string> => {
    const price = await stripe.prices.create({
      product: await productOf(),
      currency: currency.toLowerCase(),
      unit_amount: amountMinor,
    });
    if (price.unit_amount !== amountMinor || price.currency !== currency.toLowerCase()) {
      throw unexpected('a price that differs from the requested price');
    }
    const ref = idOf(price, 'price_');
    await book.save(account, currency, amountMinor, ref);
    return ref;
  };
  return {
    priceOf: async (currency, amountMinor) =>
      book.find(account, currency, amountMinor) ?? (await make(currency, amountMinor)),
    async renew(currency, amountMinor) {
      await book.save(account, PRODUCT.currency, PRODUCT.amountMinor, await makeProduct());
      return await make(currency, amountMinor);
    },
  };
}

function idOf(object: { id: string }, prefix: string): string {
  requireSuccess(object);
  if (typeof object.id === 'string' && object.id.startsWith(prefix)) return object.id;
  throw unexpected(`no ${prefix} id`);
}
