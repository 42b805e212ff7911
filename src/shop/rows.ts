import type { PaymentStatus } from './payments/provider.js';

/** Whether what was paid covers the order: `mismatch` is another currency, or lines of somebody who did not pay. */
export type Settlement = 'settled' | 'underpaid' | 'mismatch';

/** A payment as it is kept. */
export interface PaymentRow {
  /** Grows with every payment: pages go by it. */
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
  /** `creating`: nobody knows yet whether the provider has it. */
  intentState: 'creating' | 'created' | 'abandoned';
  /** What this gateway goes by; a person may have set it. */
  status: PaymentStatus;
  statusSource: 'local' | 'provider' | 'manual';
  /** What the provider said last; null when it has said nothing yet. */
  providerStatus: PaymentStatus | null;
  /** What the provider collected; null before it did, and when it does not report it. */
  paidMinor: number | null;
  paidCurrency: string | null;
  /** Null while it is not completed, and without order lines. */
  settlement: Settlement | null;
  clientKey: string | null;
  keyNumber: number;
  attempts: number;
  nextCheckAt: number | null;
  lastError: string | null;
  /** 1: whoever asked for it was told that it failed. */
  toldFailed: number;
  /** ms since 1970 UTC. */
  createdAt: number;
}

/** The columns of `PaymentRow`, for every query that reads one. */
export const PAYMENT_COLUMNS = `
  seq, transaction_id AS transactionId, order_id AS orderId, user_id AS userId, amount_minor AS amountMinor, currency,
  provider, provider_ref AS providerRef, checkout_url AS checkoutUrl, return_url AS returnUrl,
  intent_state AS intentState, status, status_source AS statusSource, provider_status AS providerStatus,
  paid_minor AS paidMinor, paid_currency AS paidCurrency, settlement,
  client_key AS clientKey, key_number AS keyNumber, attempts, next_check_at AS nextCheckAt, last_error AS lastError,
  told_failed AS toldFailed, created_at AS createdAt`;

/** One thing that happened to a payment. */
export interface PaymentEvent {
  id: number;
  transactionId: string;
  source: 'local' | 'provider' | 'webhook' | 'manual' | 'reconcile';
  fromStatus: PaymentStatus | null;
  toStatus: PaymentStatus;
  actor: string | null;
  /** 1 when it contradicts what the provider said for good. */
  conflict: number;
  detail: string | null;
  at: number;
}

export const EVENT_COLUMNS = `
  id, transaction_id AS transactionId, source, from_status AS fromStatus, to_status AS toStatus, actor, conflict,
  detail, at`;

/** A game of the catalogue, as it is kept. */
export interface GameRow {
  id: number;
  sku: string | null;
  title: string;
  priceMinor: number;
  currency: string;
  active: number;
}

export const GAME_COLUMNS = 'id, sku, title, price_minor AS priceMinor, currency, active';

/** One game in a basket. */
export interface BasketRow {
  gameId: number;
  title: string;
  quantity: number;
  priceMinor: number;
  currency: string;
  active: number;
}

/** One line of an order, with the payment that goes by its order id. */
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
  /** Of the payment. */
  settlement: Settlement | null;
  /** Of one, when it was ordered. */
  priceMinor: number | null;
  currency: string | null;
}
