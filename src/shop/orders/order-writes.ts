import type { WriteDatabase } from '../../shared/ports/database.js';
import { settleAgain } from '../payments/status-and-refund-writes.js';
import type { ChangeResult } from './basket-writes.js';
import { isCustomer, MAX_UNPAID_LINES, unpaidLines } from './customer-limits.js';

export interface OrderRequest {
  orderId: string;
  userId: number;
  gameId: number;
  /** True if an operator or an API key places the order. */
  isStaff: boolean;
  at: number;
}

interface Payment {
  userId: number | null;
  currency: string;
}

const USER = 'SELECT 1 FROM users WHERE id = @userId';
const GAME = 'SELECT currency FROM games WHERE id = @gameId';
const LINE = 'SELECT 1 FROM orders WHERE order_id = @orderId AND user_id = @userId AND game_id = @gameId';
const PAYMENT = 'SELECT user_id AS userId, currency FROM payments WHERE order_id = @orderId';
const OF_OTHERS = 'SELECT 1 FROM orders WHERE order_id = @orderId AND user_id <> @userId LIMIT 1';
const INSERT = `
  INSERT INTO orders (order_id, user_id, game_id, price_minor, currency, by_customer, created_at)
  SELECT @orderId, @userId, id, price_minor, currency, @byCustomer, @at FROM games WHERE id = @gameId`;

/**
 * Adds an order line with the game's current price. If the payment is already completed, the line is marked as paid
 * only if the amount covers it. Adding an existing line changes nothing, even if it is paid.
 */
export function placeOrder(db: WriteDatabase, order: OrderRequest): ChangeResult {
  const { orderId, userId, gameId, isStaff, at } = order;
  if (!db.prepare(USER).get({ userId })) return 'no_user';
  const game = db.prepare<{ currency: string }>(GAME).get({ gameId });
  if (!game) return 'no_game';
  if (db.prepare(LINE).get({ orderId, userId, gameId })) return 'done';
  const payment = db.prepare<Payment>(PAYMENT).get({ orderId });
  if (payment) {
    if (!mayAdd(db, payment, order)) return 'foreign';
    if (payment.currency !== game.currency) return 'currency';
  }
  if (!isStaff && unpaidLines(db, userId) >= MAX_UNPAID_LINES) return 'too_many';
  db.prepare(INSERT).run({ orderId, userId, gameId, byCustomer: isStaff ? 0 : 1, at });
  settleAgain(db, orderId, at);
  return 'done';
}

/**
 * Returns true if the line can be added to the payment. All lines of a payment belong to one customer, and
 * customers can pay only for their own order lines.
 */
function mayAdd(
  db: WriteDatabase,
  { userId: payer }: Payment,
  { orderId, userId, isStaff }: OrderRequest,
): boolean {
  if (payer === userId) return !db.prepare(OF_OTHERS).get({ orderId, userId });
  const isOnBehalf = isStaff && (payer === null || !isCustomer(db, payer));
  return isOnBehalf && !db.prepare(OF_OTHERS).get({ orderId, userId });
}
