import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Stripe } from 'stripe';
import { serviceLookups } from '../../shared/dns-lookup.js';
import { type ErrorCode, GatewayError } from '../../shared/errors.js';
import type {
  Checkout,
  CheckoutRequest,
  Hint,
  PaymentErrorReason,
  PaymentProvider,
  PriceBook,
} from '../../shared/ports/payments.js';
import { isJsonObject } from '../../shared/validation/json.js';
import {
  chargeOf,
  intentRefOf,
  type Prices,
  readSession,
  returnedOf,
  stripeHint,
  stripePrices,
  transactionOf,
  withIntent,
} from './stripe-session.js';

/** Omits Stripe's message, which may contain part of the key. */
export function stripeError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const { type, code, statusCode } = partsOf(thrown);
  const detail = `${code || type || 'unreadable response'}${statusCode ? ` (HTTP ${statusCode})` : ''}`;
  const make = (kind: ErrorCode, message: string, reason?: PaymentErrorReason): GatewayError =>
    new GatewayError(kind, message, { cause: thrown, reason });
  if (code === 'amount_too_small' || code === 'amount_too_large') {
    const reason = code === 'amount_too_small' ? 'amount-too-small' : 'amount-too-large';
    return make(
      'PROVIDER_AMOUNT',
      `Stripe does not accept this amount: ${code.replaceAll('_', ' ')}`,
      reason,
    );
  }
  switch (type) {
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return make('PROVIDER_REFUSED', 'Stripe rejected the API key', 'key-rejected');
    case 'StripeInvalidRequestError':
      if (statusCode === 404) return make('PROVIDER_UNKNOWN', `Stripe has no such payment: ${detail}`);
      return make('PROVIDER_REFUSED', `Stripe rejected the request: ${detail}`);
    case 'StripeCardError':
      return make('PROVIDER_REFUSED', `Stripe rejected the card: ${detail}`, 'card-declined');
    case 'StripeAPIError':
      // Stripe stores a 5xx response and returns it for every request with the same idempotency key, so a retry is
      // useless.
      if (statusCode >= 500) return make('PROVIDER_FAILED', `Stripe reported an internal error: ${detail}`);
      return make('PROVIDER_UNCLEAR', `the response from Stripe is unreadable: ${detail}`);
    case 'StripeConnectionError':
      return make('PROVIDER_UNCLEAR', 'Stripe cannot be reached', 'unreachable');
    default:
      // After a rate limit, an idempotency conflict or an unknown error, the request is retried with the same key.
      return make('PROVIDER_UNCLEAR', `the request to Stripe failed: ${detail}`);
  }
}

/** Checks the type name, not the class, because the SDK is loaded only when Stripe is used. */
function partsOf(thrown: unknown): { type: string; code: string; statusCode: number } {
  const of = (key: string): unknown =>
    typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined;
  const [type, code, statusCode] = [of('type'), of('code'), of('statusCode')];
  return {
    type: typeof type === 'string' && type.startsWith('Stripe') ? type : '',
    code: typeof code === 'string' ? code : '',
    statusCode: typeof statusCode === 'number' ? statusCode : 0,
  };
}

interface StripeOptions {
  apiKey: string;
  /** The webhook's signing secret; if it is absent, payments are only polled. */
  webhookSecret?: string;
  prices: PriceBook;
  /** Address of a Stripe-compatible server, such as `http://127.0.0.1:4010`. */
  url?: string;
  /** Timeout per attempt in ms. The SDK's defaults, 80 s and two retries, add up to four minutes. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 8000;
const RETRIES = 1;
/** Maximum number of pages of 100 sessions; the shop creates far fewer within the search period. */
const MAX_PAGES = 20;

/** Events that can follow the end of a checkout. The status of an open checkout is polled. */
const EVENT_TYPES: string[] = [
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
];

/** Loads the SDK (21 MB of memory). */
export async function openStripe(options: StripeOptions): Promise<PaymentProvider> {
  const { Stripe } = await import('stripe');
  const { apiKey, webhookSecret, prices, url, timeoutMs = TIMEOUT_MS } = options;
  const agent = { keepAlive: true, lookup: serviceLookups.lookup };
  const stripe = new Stripe(apiKey, {
    httpAgent: url?.startsWith('http:') ? new http.Agent(agent) : new https.Agent(agent),
    ...(url === undefined ? {} : endpointOf(url)),
    timeout: timeoutMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
  const account = `stripe:${createHash('sha256').update(`${url}${apiKey}`).digest('hex').slice(0, 12)}`;
  return new StripeProvider(stripe, stripePrices(stripe, prices, account), webhookSecret);
}

class StripeProvider implements PaymentProvider {
  readonly name = 'stripe';
  readonly readHint?: NonNullable<PaymentProvider['readHint']>;
  readonly #stripe: Stripe;
  readonly #prices: Prices;

  constructor(stripe: Stripe, prices: Prices, webhookSecret: string | undefined) {
    this.#stripe = stripe;
    this.#prices = prices;
    if (webhookSecret !== undefined) {
      this.readHint = async (body, headers) =>
        readHint(stripe, body, headers['stripe-signature'], webhookSecret);
    }
  }

  async create(request: CheckoutRequest): Promise<Checkout> {
    const { currency, amountMinor } = request;
    try {
      const price = await this.#prices.priceOf(currency, amountMinor);
      return await this.#session(request, price).catch(async (error: unknown) => {
        // A missing price was deleted with the test data or belongs to another account, so it is created again.
        if (!isMissing(error)) throw error;
        return await this.#session(request, await this.#prices.renew(currency, amountMinor));
      });
    } catch (error) {
      throw stripeError(error);
    }
  }

  async get(ref: string): Promise<Checkout> {
    try {
      const session = await this.#stripe.checkout.sessions.retrieve(ref);
      const checkout = sameRef(readSession(session), ref);
      const intentRef = intentRefOf(session);
      const isComplete = checkout.isProcessing || checkout.status === 'completed';
      if (!isComplete || intentRef === undefined) return checkout;
      return await this.#withDetails(checkout, intentRef);
    } catch (error) {
      throw stripeError(error);
    }
  }

  /** Adds the result of a delayed payment, and refunds and disputes. */
  async #withDetails(session: Checkout, paymentRef: string): Promise<Checkout> {
    const { paymentIntents, charges, disputes } = this.#stripe;
    const intent = await paymentIntents
      .retrieve(paymentRef, { expand: ['latest_charge'] })
      .catch(unlessUnreadable);
    const checkout = { ...(session.isProcessing ? withIntent(session, intent) : session), paymentRef };
    const found = chargeOf(intent);
    const charge = typeof found === 'string' ? await charges.retrieve(found).catch(unlessUnreadable) : found;
    if (checkout.status !== 'completed' || !isJsonObject(charge)) return checkout;
    if (charge.disputed === false) return { ...checkout, returned: returnedOf(charge, []) };
    const list = await disputes.list({ payment_intent: paymentRef, limit: 100 }).catch(unlessUnreadable);
    return { ...checkout, returned: returnedOf(charge, list?.data) };
  }

  async recentHints(sinceMs: number): Promise<Hint[]> {
    const hints: Hint[] = [];
    try {
      const created = { gte: Math.floor(sinceMs / 1000) };
      for await (const event of this.#stripe.events.list({ created, types: EVENT_TYPES, limit: 100 })) {
        if (isJsonObject(event)) hints.push(stripeHint(event));
      }
    } catch (error) {
      throw stripeError(error);
    }
    return hints.reverse();
  }

  async expire(ref: string): Promise<Checkout> {
    try {
      return sameRef(readSession(await this.#stripe.checkout.sessions.expire(ref)), ref);
    } catch (error) {
      const failure = stripeError(error);
      // The checkout was already paid or has expired, so its current state is returned.
      if (failure.code === 'PROVIDER_REFUSED') return await this.get(ref);
      throw failure;
    }
  }

  async findByTransaction(transactionId: string, sinceMs: number): Promise<Checkout | undefined> {
    try {
      let after: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const { sessions, hasMore } = await this.#page(sinceMs, after);
        const found = sessions.find((session) => transactionOf(session) === transactionId);
        if (found) return readSession({ ...found, lastResponse: { statusCode: 200 } });
        const last = sessions.at(-1)?.id;
        if (!hasMore || typeof last !== 'string') return undefined;
        after = last;
      }
    } catch (error) {
      throw stripeError(error);
    }
    // The session may exist beyond the page limit, so the outcome is unclear.
    throw new GatewayError('PROVIDER_UNCLEAR', 'there are too many Stripe sessions to search');
  }

  async #page(
    sinceMs: number,
    after: string | undefined,
  ): Promise<{ sessions: Record<string, unknown>[]; hasMore: boolean }> {
    const answer: unknown = await this.#stripe.checkout.sessions.list({
      created: { gte: Math.floor(sinceMs / 1000) },
      limit: 100,
      ...(after === undefined ? {} : { starting_after: after }),
    });
    if (!isJsonObject(answer) || !Array.isArray(answer.data) || typeof answer.has_more !== 'boolean') {
      throw new GatewayError('PROVIDER_UNCLEAR', 'unexpected response from Stripe: not a list');
    }
    return { sessions: answer.data.filter(isJsonObject), hasMore: answer.has_more };
  }

  async #session(request: CheckoutRequest, price: string): Promise<Checkout> {
    const { transactionId, orderId, idempotencyKey, returnUrl } = request;
    const answer = await this.#stripe.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [{ price, quantity: 1 }],
        client_reference_id: orderId,
        metadata: { transaction_id: transactionId, order_id: orderId },
        // Charges inherit this metadata, so their events name the transaction.
        payment_intent_data: { metadata: { transaction_id: transactionId, order_id: orderId } },
        success_url: returnUrl,
        cancel_url: returnUrl,
      },
      { idempotencyKey },
    );
    return readSession(answer, transactionId);
  }
}

function endpointOf(text: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(text);
  const isPlain = protocol === 'http:';
  return { host: hostname, port: port || (isPlain ? '80' : '443'), protocol: isPlain ? 'http' : 'https' };
}

function sameRef(checkout: Checkout, ref: string): Checkout {
  if (checkout.ref === ref) return checkout;
  throw new GatewayError('PROVIDER_UNCLEAR', 'unexpected response from Stripe: a different session');
}

/**
 * Ignores a missing permission and rethrows any other error, because a restricted API key may lack the permission for
 * an object that only adds detail to a session.
 */
function unlessUnreadable(error: unknown): undefined {
  const failure = stripeError(error);
  if (failure.code !== 'PROVIDER_UNKNOWN' && failure.code !== 'PROVIDER_REFUSED') throw failure;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'resource_missing';
}

/** Accepted deviation of a webhook's timestamp in either direction, in seconds. */
const TOLERANCE_S = 300;

/**
 * Verifies a webhook's signature over the raw body. Throws `INVALID_INPUT`. The SDK verifies the decoded text,
 * uses the last of several timestamps, reads `t=1e9` as 1 and accepts timestamps in the future, so an
 * ambiguous header or body is rejected first.
 */
function readHint(stripe: Stripe, body: Buffer, signature: unknown, secret: string): Hint {
  let event: unknown;
  try {
    const header = typeof signature === 'string' ? signature : '';
    if (timestampOf(header) - Date.now() / 1000 > TOLERANCE_S)
      throw new Error('the timestamp is in the future');
    if (!isUtf8(body) || body.subarray(0, BOM.length).equals(BOM))
      throw new Error('the body is not plain UTF-8');
    event = stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_S);
  } catch (cause) {
    throw new GatewayError('INVALID_INPUT', 'the webhook signature is invalid', { cause });
  }
  if (!isJsonObject(event)) throw new GatewayError('INVALID_INPUT', 'the webhook contains no event');
  return stripeHint(event);
}

/** A text decoder drops this prefix, so the signature would not cover it. */
const BOM = Buffer.from('\u{feff}');

/** Returns the only timestamp of a `Stripe-Signature` header, in seconds. */
function timestampOf(header: string): number {
  const [stamp, ...others] = header.split(',').filter((part) => part.trim().startsWith('t='));
  const [, digits] = /^t=(\d{1,12})$/.exec(stamp ?? '') ?? [];
  if (digits === undefined || others.length > 0) throw new Error('the header has no unique timestamp');
  return Number(digits);
}
