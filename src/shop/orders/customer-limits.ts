import type { WriteDatabase } from '../../shared/ports/database.js';

/** Maximum number of pending or failed payments per customer. */
export const MAX_UNPAID_PAYMENTS = 100;
/** Maximum number of unpaid order lines per customer; the basket that first exceeds the maximum is still accepted. */
export const MAX_UNPAID_LINES = 200;

const ROLE = 'SELECT role FROM users WHERE id = @userId';
const UNPAID = 'SELECT count(*) AS n FROM orders WHERE user_id = @userId AND paid_at IS NULL';

/** Returns true for a user who can buy only for themselves, unlike operators and administrators. */
export function isCustomer(db: WriteDatabase, userId: number): boolean {
  return db.prepare<{ role: string }>(ROLE).get({ userId })?.role === 'customer';
}

export function unpaidLines(db: WriteDatabase, userId: number): number {
  return db.prepare<{ n: number }>(UNPAID).get({ userId })?.n ?? 0;
}
