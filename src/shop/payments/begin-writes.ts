import type { SqlValue, WriteDatabase } from '../../shared/ports/database.js';
import { isCustomer, MAX_UNPAID_LINES, MAX_UNPAID_PAYMENTS, unpaidLines } from '../orders/customer-limits.js';
import { factColumns } from '../rows.js';

/** A payment intent, stored before the provider is called, so that a crash does not lose it. */
export interface BeginRequest {
  transactionId: string;
  orderId: string;
  /** Null for an API key or an unknown user. */
  userId: number | null;
  /** `basketOf` is the ID of the user whose basket is being paid for. */
  amountMinor: number | { basketOf: number };
  currency: string;
  provider: string;
  returnUrl: string;
  /** The idempotency key, prefixed with the caller's scope, or null. */
  clientKey: string | null;
  /** SHA-256 of the request. */
  requestHash: Uint8Array | null;
  /** Unix time in ms. */
  at: number;
  checkAt: number;
}

/** A problem with the basket, or a limit that the customer has reached. */
export type BeginRefusal = 'empty' | 'currency' | 'retired' | 'amount' | 'payments' | 'lines';

/** `known`: the idempotency key is already in use. `isSame`: the earlier request was identical. */
export type BeginResult =
  | { kind: 'begun' }
  | { kind: 'known'; transactionId: string; isSame: boolean }
  | { kind: 'refused'; why: BeginRefusal };

const KNOWN = `
  SELECT transaction_id AS transactionId, request_hash AS requestHash FROM payments WHERE client_key = @clientKey`;
const INSERT = `
  INSERT INTO payments (transaction_id, order_id, user_id, amount_minor, currency, provider, return_url, client_key,
    request_hash, next_check_at, created_at, updated_at)
  VALUES (@transactionId, @orderId, (SELECT id FROM users WHERE id = @userId), @amountMinor, @currency, @provider,
    @returnUrl, @clientKey, @requestHash, @checkAt, @at, @at)`;
const EVENT = `
  INSERT INTO payment_events (transaction_id, source, to_status, detail, facts, at)
  VALUES (@transactionId, 'local', 'pending', @detail, @facts, @at)`;
const BASKET = `
  SELECT count(*) AS lines, sum(quantity * price_minor) AS amountMinor, min(active) AS active,
    sum(currency <> @currency) AS foreignLines
  FROM cart_items JOIN games ON games.id = game_id WHERE user_id = @userId`;
const ORDER = `
  INSERT INTO orders (order_id, user_id, game_id, quantity, price_minor, currency, created_at)
  SELECT @orderId, user_id, game_id, quantity, price_minor, currency, @at
  FROM cart_items JOIN games ON games.id = game_id WHERE user_id = @userId`;
const UNPAID = "SELECT count(*) AS n FROM payments WHERE user_id = @userId AND status <> 'completed'";

interface BasketSum {
  lines: number;
  amountMinor: number | null;
  active: number | null;
  foreignLines: number | null;
}

/** Stores the intent and, if a basket is being paid for, the order lines. */
export function beginPayment(db: WriteDatabase, request: BeginRequest): BeginResult {
  const { clientKey, requestHash, transactionId, orderId, at } = request;
  if (clientKey !== null) {
    const known = db
      .prepare<{ transactionId: string; requestHash: Uint8Array | null }>(KNOWN)
      .get({ clientKey });
    if (known)
      return {
        kind: 'known',
        transactionId: known.transactionId,
        isSame: same(known.requestHash, requestHash),
      };
  }
  const { amountMinor, ...row } = request;
  const basketOf = typeof amountMinor === 'object' ? amountMinor.basketOf : undefined;
  const sum =
    typeof amountMinor === 'object' ? basketSum(db, amountMinor.basketOf, request.currency) : amountMinor;
  if (typeof sum !== 'number') return { kind: 'refused', why: sum };
  const limit = limitReached(db, request.userId, basketOf !== undefined);
  if (limit) return { kind: 'refused', why: limit };
  const params: Record<string, SqlValue> = { ...row, amountMinor: sum };
  db.prepare(INSERT).run(params);
  const what = basketOf === undefined ? 'requested' : 'basket';
  db.prepare(EVENT).run({ transactionId, at, ...factColumns([{ code: what, text: what }]) });
  if (basketOf !== undefined) db.prepare(ORDER).run({ orderId, userId: basketOf, at });
  return { kind: 'begun' };
}

function limitReached(db: WriteDatabase, userId: number | null, hasLines: boolean): BeginRefusal | undefined {
  if (userId === null || !isCustomer(db, userId)) return undefined;
  const payments = db.prepare<{ n: number }>(UNPAID).get({ userId })?.n ?? 0;
  if (payments >= MAX_UNPAID_PAYMENTS) return 'payments';
  return hasLines && unpaidLines(db, userId) >= MAX_UNPAID_LINES ? 'lines' : undefined;
}

function basketSum(db: WriteDatabase, userId: number, currency: string): number | BeginRefusal {
  const sum = db.prepare<BasketSum>(BASKET).get({ userId, currency });
  if (!sum || sum.lines === 0) return 'empty';
  if (sum.foreignLines !== 0) return 'currency';
  if (sum.active !== 1) return 'retired';
  const amount = sum.amountMinor ?? 0;
  return amount >= 1 && amount <= 99_999_999 ? amount : 'amount';
}

function same(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a !== null && b !== null && Buffer.compare(a, b) === 0;
}
