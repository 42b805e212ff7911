import type { WriteDatabase } from '../../shared/ports/database.js';
import type { Money, PaymentFact } from '../../shared/ports/payments.js';
import { isCustomer } from '../orders/customer-limits.js';
import type { PaymentRow, Settlement } from '../rows.js';

interface Lines {
  lines: number;
  users: number;
  userId: number | null;
  sumMinor: number | null;
  otherCurrency: number | null;
}

interface Line {
  id: number;
  costMinor: number;
}

interface Settled {
  settlement: Settlement | null;
  /** The reasons why the order lines cannot all be marked as paid. */
  facts: PaymentFact[];
}

const LINES = `
  SELECT count(*) AS lines, count(DISTINCT user_id) AS users, min(user_id) AS userId,
    sum(quantity * price_minor) AS sumMinor, sum(currency IS NOT @currency) AS otherCurrency
  FROM orders WHERE order_id = @orderId`;
const EACH =
  'SELECT id, quantity * price_minor AS costMinor FROM orders WHERE order_id = @orderId ORDER BY id';
const SETTLE = 'UPDATE orders SET paid_at = coalesce(paid_at, @at) WHERE id = @id';
const RELEASE_LINE = 'UPDATE orders SET paid_at = NULL WHERE id = @id';
const RELEASE = 'UPDATE orders SET paid_at = NULL WHERE order_id = @orderId';
/** Removes from the basket the ordered games and all games that were added before the payment was created. */
const EMPTY_BASKET = `
  DELETE FROM cart_items
  WHERE user_id IN (SELECT @userId UNION SELECT user_id FROM orders WHERE order_id = @orderId)
    AND (added_at <= @createdAt OR game_id IN (
      SELECT game_id FROM orders WHERE order_id = @orderId AND user_id = cart_items.user_id))`;

/**
 * Marks each of a payment's order lines as paid if `paid` covers the line together with all earlier lines. If the
 * lines belong to several customers or have another currency, no line is marked.
 * @param isReduced true if `paid` is the amount that remains after refunds.
 */
export function settleLines(
  db: WriteDatabase,
  payment: PaymentRow,
  paid: Money,
  { isReduced, at }: { isReduced: boolean; at: number },
): Settled {
  const { orderId, userId } = payment;
  const { currency } = paid;
  const lines = db.prepare<Lines>(LINES).get({ orderId, currency });
  if (!lines || lines.lines === 0) return { settlement: null, facts: [] };
  const settled = compare(db, lines, userId, paid, isReduced);
  if (settled.settlement === 'mismatch') releaseOrder(db, orderId);
  else markCovered(db, orderId, paid.amountMinor, at);
  return settled;
}

function markCovered(db: WriteDatabase, orderId: string, amountMinor: number, at: number): void {
  let restMinor = amountMinor;
  for (const { id, costMinor } of db.prepare<Line>(EACH).all({ orderId })) {
    restMinor -= costMinor;
    if (restMinor >= 0) db.prepare(SETTLE).run({ id, at });
    else db.prepare(RELEASE_LINE).run({ id });
  }
}

export function releaseOrder(db: WriteDatabase, orderId: string): void {
  db.prepare(RELEASE).run({ orderId });
}

export function emptyBasketFor(db: WriteDatabase, { orderId, userId, createdAt }: PaymentRow): void {
  db.prepare(EMPTY_BASKET).run({ orderId, userId, createdAt });
}

function compare(
  db: WriteDatabase,
  lines: Lines,
  payer: number | null,
  paid: Money,
  isReduced: boolean,
): Settled {
  const suffix = isReduced ? ' after refunds' : '';
  const isForeign = payer !== lines.userId && payer !== null && isCustomer(db, payer);
  if (lines.users > 1 || isForeign) {
    const text = `mismatch: the order has lines from another customer${suffix}`;
    return { settlement: 'mismatch', facts: [{ code: 'other-customer', text }] };
  }
  const { amountMinor, currency } = paid;
  if (lines.otherCurrency !== 0) {
    const text = `mismatch: the order has lines in a currency other than ${currency}${suffix}`;
    return { settlement: 'mismatch', facts: [{ code: 'other-currency', text, values: [currency] }] };
  }
  const sumMinor = lines.sumMinor ?? 0;
  if (sumMinor <= amountMinor) return { settlement: 'settled', facts: [] };
  return {
    settlement: 'underpaid',
    facts: [
      {
        code: 'underpaid',
        text: `underpaid: ${moneyDetail(sumMinor, currency)} ordered`,
        values: [sumMinor, currency],
      },
      {
        code: isReduced ? 'left' : 'collected',
        text: `${moneyDetail(amountMinor, currency)} paid${suffix}`,
        values: [amountMinor, currency],
      },
    ],
  };
}

export function moneyDetail(minor: number, currency: string): string {
  return `${currency} ${(minor / 100).toFixed(2)}`;
}
