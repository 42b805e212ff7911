/** `completed` and `failed` are final; after a declined card, a payment is still `pending`. */
export type PaymentStatus = 'pending' | 'completed' | 'failed';

/** Repeating a request with the same `idempotencyKey` must never create a second payment. */
export interface CheckoutRequest {
  /** Stored by the provider, so that `findByTransaction` can find the payment. */
  transactionId: string;
  orderId: string;
  amountMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
  idempotencyKey: string;
  /** The buyer returns to this URL after paying or cancelling. */
  returnUrl: string;
}

/** Minor units and ISO 4217 code (upper case). */
export interface Money {
  amountMinor: number;
  currency: string;
}

/** Parts of a collected amount that went back to the buyer, in minor units of the payment's currency. */
export interface Returned {
  refundedMinor: number;
  /** Amount of the disputes that are still open. */
  disputedMinor: number;
  /** Amount of the disputes that the shop lost. */
  lostMinor: number;
}

/** A fact that an event reports about a payment. `text` is in English, for programs. */
export interface PaymentFact {
  code: FactCode;
  text: string;
  values?: FactValues;
}

export type FactValues = readonly (string | number)[];

/** The values of each fact are in brackets; amounts are in minor units. */
export type FactCode =
  | 'requested'
  | 'basket'
  | 'open'
  | 'paid'
  | 'complete'
  | 'nothing-to-pay'
  | 'expired'
  /** [number of times] */
  | 'declined'
  | 'transfer-pending'
  | 'transfer-succeeded'
  | 'transfer-cancelled'
  | 'transfer-failed'
  | 'transfer-unreadable'
  /** [amount, currency] */
  | 'refunded'
  | 'disputed'
  | 'lost'
  | 'underpaid'
  | 'collected'
  | 'left'
  | 'other-customer'
  /** [currency of the payment] */
  | 'other-currency'
  | 'closed'
  | 'buyer-paid'
  | 'buyer-declined'
  | 'buyer-cancelled'
  | 'session-paid'
  | 'session-failed'
  | 'session-expired'
  | 'refund-failed'
  | 'refund-changed'
  | 'dispute-opened'
  | 'dispute-changed'
  | 'dispute-closed'
  /** [error code, `PaymentErrorReason` or an empty string] */
  | 'error'
  /** A fact for which the pages have no text. */
  | 'other';

/** Stored as `GatewayError.reason` of a payment's error. */
export type PaymentErrorReason =
  | 'amount-too-small'
  | 'amount-too-large'
  | 'key-rejected'
  | 'card-declined'
  | 'unreachable'
  | 'no-response'
  /** The payment was created with a provider that is no longer configured. */
  | 'other-provider'
  | 'no-such-payment';

export interface Checkout {
  ref: string;
  status: PaymentStatus;
  facts: readonly PaymentFact[];
  /** Amount that the provider will collect; absent if the provider does not report it. */
  total?: Money;
  /**
   * True while a delayed payment method, such as SEPA Direct Debit, transfers the money. The status is then
   * `pending`, but the buyer has nothing left to do.
   */
  isProcessing?: boolean;
  /** The provider's ID for the money transfer, which identifies its refunds and disputes. */
  paymentRef?: string;
  /** Absent if the provider does not report refunds and disputes. */
  returned?: Returned;
  /** URL of the checkout page, or a path on this gateway; absent if nothing is left to pay. */
  url?: string;
}

/** A verified webhook, which makes the shop read the payment from the provider. Only the provider is authoritative. */
export interface Hint {
  /** Absent if the provider has no event IDs. */
  eventId?: string;
  ref?: string;
  transactionId?: string;
  fact: PaymentFact;
  /** True if the webhook reports that a delayed payment failed. */
  isDelayedFailure?: boolean;
  /** The provider's ID for the money transfer. */
  paymentRef?: string;
  /** Amount that had been refunded when the webhook was created. */
  refunded?: Money;
}

/**
 * A payment provider. A method's promise might never settle, so callers set a deadline. Methods reject with a
 * `GatewayError`: `PROVIDER_AMOUNT` (amount not accepted), `PROVIDER_REFUSED` (nothing was created, and a
 * retry is pointless), `PROVIDER_FAILED` (a retry with the same key may also fail), `PROVIDER_UNKNOWN` (no
 * such payment) or `PROVIDER_UNCLEAR` (unknown outcome). After any other error, the outcome is unknown.
 */
export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe';
  create(request: CheckoutRequest): Promise<Checkout>;
  get(ref: string): Promise<Checkout>;
  /** Expires an unpaid payment. Returns its state, because the buyer may have paid in the meantime. */
  expire(ref: string): Promise<Checkout>;
  /** Searches the payments created since `sinceMs` (Unix time in ms). */
  findByTransaction(transactionId: string, sinceMs: number): Promise<Checkout | undefined>;
  /** Returns the events since `sinceMs` (Unix time in ms), oldest first, in case their webhooks were lost. */
  recentHints?(sinceMs: number): Promise<Hint[]>;
  /** Verifies and parses a raw body. Throws `INVALID_INPUT`. Absent if the provider has no webhooks. */
  readHint?(body: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): Promise<Hint>;
}

/** Stores price IDs, so that the shop creates each price only once. */
export interface PriceBook {
  find(provider: string, currency: string, amountMinor: number): string | undefined;
  save(provider: string, currency: string, amountMinor: number, ref: string): Promise<void>;
}

export interface SandboxView {
  ref: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  returnUrl: string;
  state: 'open' | 'paid' | 'expired';
  declines: number;
}

export type SandboxChoice = 'pay' | 'decline' | 'cancel';

export interface SandboxCheckouts {
  view(ref: string): SandboxView | undefined;
  /** Applies the buyer's choice to an open payment. Rejects with `NOT_FOUND`. */
  choose(ref: string, choice: SandboxChoice): Promise<SandboxView>;
}
