/** The contract with a payment provider: types only. */

/** What a payment is, as the provider tells it. `completed` and `failed` are final: a declined card is still `pending`. */
export type PaymentStatus = 'pending' | 'completed' | 'failed';

/** What is asked of a provider. The same `idempotencyKey` with the same members must never make a second payment. */
export interface CheckoutRequest {
  /** Ours; kept by the provider, so that the payment can be found again by it. */
  transactionId: string;
  orderId: string;
  amountMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
  idempotencyKey: string;
  /** Where the buyer goes when all is done, or was given up. */
  returnUrl: string;
}

/** An amount in minor units with its currency (ISO 4217, upper case). */
export interface Money {
  amountMinor: number;
  currency: string;
}

/** A payment as the provider has it. */
export interface Checkout {
  /** The provider's own id. */
  ref: string;
  status: PaymentStatus;
  /** The provider's own words for its status, for the record. */
  detail: string;
  /** What the provider collects for it; absent when the provider does not report it. */
  total?: Money;
  /** The hosted page; absent when there is nothing left to pay. A path means a page of this gateway. */
  url?: string;
}

/** What a verified webhook says. It is a hint and no more: the status is always read from the provider. */
export interface Hint {
  /** Absent when the provider does not number its events. */
  eventId?: string;
  ref?: string;
  transactionId?: string;
  /** What happened, in the provider's words. */
  detail: string;
}

/**
 * A payment provider. Every method may take long or never end: the caller has a deadline. Rejects with a `GatewayError`:
 * `PROVIDER_AMOUNT` (this amount is never taken) and `PROVIDER_REFUSED` (nothing was made, and trying again is useless),
 * `PROVIDER_FAILED` (it answered with a failure that it may repeat for this key), `PROVIDER_UNKNOWN` (no such payment),
 * `PROVIDER_UNCLEAR` (nobody knows whether anything was made). Anything else that is thrown counts as unclear.
 */
export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe';
  create(request: CheckoutRequest): Promise<Checkout>;
  get(ref: string): Promise<Checkout>;
  /** Makes an unpaid payment unpayable; answers what it then is, which may be paid. */
  expire(ref: string): Promise<Checkout>;
  /** The payment with our transaction id among those made since `sinceMs` (ms since 1970 UTC). */
  findByTransaction(transactionId: string, sinceMs: number): Promise<Checkout | undefined>;
  /** Checks a webhook's signature over its raw body; throws `INVALID_INPUT`. Absent when there are no webhooks. */
  readHint?(body: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): Promise<Hint>;
}

/** A place to keep the provider's id of a price, so that one price is made once. */
export interface PriceBook {
  find(provider: string, currency: string, amountMinor: number): string | undefined;
  keep(provider: string, currency: string, amountMinor: number, ref: string): Promise<void>;
}

/** What the sandbox's page shows of a payment. */
export interface SandboxView {
  ref: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  returnUrl: string;
  state: 'open' | 'paid' | 'expired';
  /** How often the card was declined. */
  declines: number;
}

/** The buyer's side of the sandbox. */
export interface SandboxDesk {
  view(ref: string): SandboxView | undefined;
  /** What the buyer chose. A payment that is no longer open stays as it is. Throws `NOT_FOUND`. */
  choose(ref: string, choice: 'pay' | 'decline' | 'cancel'): Promise<SandboxView>;
}
