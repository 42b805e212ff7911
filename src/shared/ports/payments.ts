/** `completed` and `failed` are final; a payment whose card was declined is still `pending`. */
export type PaymentStatus = 'pending' | 'completed' | 'failed';

/**
 * A payment request. Repeating a request with the same `idempotencyKey` must never create a second payment.
 */
export interface CheckoutRequest {
  /** Stored by the provider so that `findByTransaction` can find the payment. */
  transactionId: string;
  orderId: string;
  amountMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
  idempotencyKey: string;
  /** URL that the buyer returns to after paying or cancelling. */
  returnUrl: string;
}

/** An amount in minor units with its currency (ISO 4217, upper case). */
export interface Money {
  amountMinor: number;
  currency: string;
}

/** A payment as recorded by the provider. */
export interface Checkout {
  /** The provider's ID. */
  ref: string;
  status: PaymentStatus;
  /** The provider's status text, which is stored in the payment events. */
  detail: string;
  /** Amount that the provider will collect; absent if not reported. */
  total?: Money;
  /** URL of the checkout page, or a path on this gateway; absent if nothing remains to be paid. */
  url?: string;
}

/**
 * The content of a verified webhook. It does not include the payment status, which is always read from the
 * provider.
 */
export interface Hint {
  /** Absent if the provider has no event IDs. */
  eventId?: string;
  ref?: string;
  transactionId?: string;
  /** The provider's event text. */
  detail: string;
}

/**
 * A payment provider. A method may never settle, so callers set a deadline. Methods reject with a
 * `GatewayError`: `PROVIDER_AMOUNT` (the amount is not accepted), `PROVIDER_REFUSED` (nothing was created,
 * and a retry is pointless), `PROVIDER_FAILED` (the provider may return the same failure again for this key),
 * `PROVIDER_UNKNOWN` (no such payment), `PROVIDER_UNCLEAR` (the outcome is unknown). Any other error counts
 * as unclear.
 */
export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe';
  create(request: CheckoutRequest): Promise<Checkout>;
  get(ref: string): Promise<Checkout>;
  /** Expires an unpaid payment and returns its state. The payment may have been completed in the meantime. */
  expire(ref: string): Promise<Checkout>;
  /** Finds a payment by its transaction ID among the payments created since `sinceMs` (ms since 1970 UTC). */
  findByTransaction(transactionId: string, sinceMs: number): Promise<Checkout | undefined>;
  /**
   * Verifies and parses a webhook's raw body. Throws `INVALID_INPUT`. Absent if the provider has no webhooks.
   */
  readHint?(body: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): Promise<Hint>;
}

/** Stores the provider's price IDs, so that each price is created only once. */
export interface PriceBook {
  find(provider: string, currency: string, amountMinor: number): string | undefined;
  save(provider: string, currency: string, amountMinor: number, ref: string): Promise<void>;
}

/** A payment as shown on the sandbox's checkout page. */
export interface SandboxView {
  ref: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  returnUrl: string;
  state: 'open' | 'paid' | 'expired';
  declines: number;
}

export interface SandboxCheckouts {
  view(ref: string): SandboxView | undefined;
  /** Applies the buyer's choice to an open payment. Rejects with `NOT_FOUND`. */
  choose(ref: string, choice: 'pay' | 'decline' | 'cancel'): Promise<SandboxView>;
}
