import type { Actor } from '../shared/actor.js';
import type { PaymentFact, PaymentStatus } from '../shared/ports/payments.js';

/** `mismatch` means that the order has a different currency or contains another customer's lines. */
export type Settlement = 'settled' | 'underpaid' | 'mismatch';

export interface PaymentRow {
  /** Sequence number, used for paging. */
  seq: number;
  transactionId: string;
  orderId: string;
  userId: number | null;
  amountMinor: number;
  currency: string;
  provider: string;
  providerRef: string | null;
  checkoutUrl: string | null;
  returnUrl: string;
  /** `creating`: it is unknown whether the provider has the payment. */
  intentState: 'creating' | 'created' | 'abandoned';
  status: PaymentStatus;
  statusSource: 'local' | 'provider' | 'manual';
  /** Null until the provider reports a status. */
  providerStatus: PaymentStatus | null;
  /**
   * `processing`: the buyer has finished the checkout, and the provider is still transferring the money.
   * `failed`: a webhook reported that the transfer failed. Null for any other payment.
   */
  delayed: 'processing' | 'failed' | null;
  /** Amount collected by the provider; null if not collected or not reported. */
  paidMinor: number | null;
  paidCurrency: string | null;
  /** See `Checkout.paymentRef`. */
  paymentRef: string | null;
  refundedMinor: number;
  disputedMinor: number;
  lostMinor: number;
  /** Null if the payment is not completed or the order has no lines. */
  settlement: Settlement | null;
  clientKey: string | null;
  keyNumber: number;
  attempts: number;
  nextCheckAt: number | null;
  /** The latest error; null if there is none. A later version may have stored a code that this version lacks. */
  errorCode: string | null;
  /** See `PaymentErrorReason`. */
  errorReason: string | null;
  errorMessage: string | null;
  /** 1 if the caller received an error for this payment. */
  failureReported: number;
  /** Unix time in ms. */
  createdAt: number;
}

export const PAYMENT_COLUMNS = `
  seq, transaction_id AS transactionId, order_id AS orderId, user_id AS userId, amount_minor AS amountMinor, currency,
  provider, provider_ref AS providerRef, checkout_url AS checkoutUrl, return_url AS returnUrl,
  intent_state AS intentState, status, status_source AS statusSource, provider_status AS providerStatus,
  delayed, payment_ref AS paymentRef, refunded_minor AS refundedMinor, disputed_minor AS disputedMinor,
  lost_minor AS lostMinor, paid_minor AS paidMinor, paid_currency AS paidCurrency, settlement,
  client_key AS clientKey, key_number AS keyNumber, attempts, next_check_at AS nextCheckAt, error_code AS errorCode,
  error_reason AS errorReason,
  last_error AS errorMessage, told_failed AS failureReported, created_at AS createdAt`;

/** Returns the checkout page's URL, or null if the buyer has nothing left to pay there. */
export function payableUrl({ status, providerStatus, delayed, checkoutUrl }: PaymentRow): string | null {
  const isOpen = status === 'pending' && providerStatus === 'pending' && delayed === null;
  return isOpen ? checkoutUrl : null;
}

export interface PaymentEvent {
  id: number;
  transactionId: string;
  source: 'local' | 'provider' | 'webhook' | 'manual' | 'reconcile';
  fromStatus: PaymentStatus | null;
  toStatus: PaymentStatus;
  /** The person who set the status; null for all other events. */
  actor: Actor | null;
  /** 1 if the event contradicts the provider's final status. */
  conflict: number;
  /** The texts of the facts; null if there are none. */
  detail: string | null;
  /** The facts without their texts, which are in `detail`. */
  facts: readonly Omit<PaymentFact, 'text'>[];
  at: number;
}

/** Returns the columns for the facts of an event. */
export function factColumns(facts: readonly PaymentFact[]): { detail: string | null; facts: string } {
  return {
    detail: facts.length === 0 ? null : facts.map(({ text }) => text).join(', '),
    facts: JSON.stringify(facts.map(({ text: _text, ...fact }) => fact)),
  };
}

export const EVENT_COLUMNS = `
  id, transaction_id AS transactionId, source, from_status AS fromStatus, to_status AS toStatus, actor, conflict,
  detail, facts, at`;

export interface GameRow {
  id: number;
  sku: string | null;
  title: string;
  priceMinor: number;
  currency: string;
  active: number;
}

export const GAME_COLUMNS = 'id, sku, title, price_minor AS priceMinor, currency, active';

export interface BasketRow {
  gameId: number;
  title: string;
  quantity: number;
  priceMinor: number;
  currency: string;
  active: number;
}

/** An order line, together with the payment for its order. */
export interface OrderRow {
  id: number;
  orderId: string;
  userId: number;
  gameId: number;
  title: string;
  quantity: number;
  paidAt: number | null;
  createdAt: number;
  transactionId: string | null;
  status: PaymentStatus | null;
  settlement: Settlement | null;
  /** Unit price at the time of the order. */
  priceMinor: number | null;
  currency: string | null;
}
