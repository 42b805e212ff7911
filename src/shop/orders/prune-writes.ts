import type { WriteDatabase } from '../../shared/ports/database.js';

const DAY_MS = 86_400_000;
/** One day until the checkout expires, plus seven days for enquiries. */
export const UNPAID_RETENTION_MS = 8 * DAY_MS;

interface PruneUnpaidRequest {
  /** Rows older than this time (Unix time in ms) are pruned. */
  before: number;
  limit: number;
}

/** Deletes customers' unpaid order lines that have no payment; keeps operators' and API keys' order lines. */
const LINES = `
  DELETE FROM orders WHERE id IN (
    SELECT id FROM orders INDEXED BY orders_unpaid
    WHERE by_customer = 1 AND paid_at IS NULL AND created_at < @before
      AND NOT EXISTS (SELECT 1 FROM payments WHERE payments.order_id = orders.order_id)
    ORDER BY created_at LIMIT @limit)`;
/** Selects failed payments that were never completed and have neither a recent event nor a pending check. */
const EXPIRED = `
  SELECT transaction_id AS id, order_id AS orderId FROM payments INDEXED BY payments_given_up
  WHERE status = 'failed' AND next_check_at IS NULL AND updated_at < @before
    AND NOT EXISTS (
      SELECT 1 FROM payment_events
      WHERE payment_events.transaction_id = payments.transaction_id AND (to_status = 'completed' OR at >= @before))
  ORDER BY updated_at LIMIT @limit`;

export function pruneLines(db: WriteDatabase, { before, limit }: PruneUnpaidRequest): number {
  return db.prepare(LINES).run({ before, limit }).changes;
}

/** Removes failed payments with their lines and events; returns the number of removed payments. */
export function prunePayments(db: WriteDatabase, { before, limit }: PruneUnpaidRequest): number {
  const payments = db.prepare<{ id: string; orderId: string }>(EXPIRED).all({ before, limit });
  for (const { id, orderId } of payments) {
    db.prepare('DELETE FROM orders WHERE order_id = @orderId').run({ orderId });
    db.prepare('DELETE FROM payment_events WHERE transaction_id = @id').run({ id });
    db.prepare('DELETE FROM payments WHERE transaction_id = @id').run({ id });
  }
  return payments.length;
}
