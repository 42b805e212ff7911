import { toDecimal } from '../payments/money.js';
import type { PaymentEvent, PaymentRow } from '../rows.js';

/** A payment as operators get it; times in ms since 1970 UTC, `value` decimal. Nothing of the caller's key. */
export function paymentView(row: PaymentRow, events: readonly PaymentEvent[]): object {
  const { seq, transactionId, orderId, userId, currency, provider, providerRef, status, providerStatus } =
    row;
  return {
    ...{ seq, transactionId, orderId, userId, value: toDecimal(row.amountMinor), currency },
    ...{ status, statusSource: row.statusSource, provider, providerRef, providerStatus },
    ...{ paid: row.paidMinor === null ? null : toDecimal(row.paidMinor), paidCurrency: row.paidCurrency },
    settlement: row.settlement,
    intentState: row.intentState,
    lastError: row.lastError,
    createdAt: row.createdAt,
    events: events.map(({ transactionId: _id, conflict, ...event }) => ({
      ...event,
      conflict: conflict === 1,
    })),
  };
}
