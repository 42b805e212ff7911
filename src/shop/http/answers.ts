import { toDecimal } from '../payments/money.js';
import type { PaymentEvent, PaymentRow } from '../rows.js';

export type PaymentView = ReturnType<typeof paymentView>;

/** A payment for operators: times in ms since 1970 UTC, `value` decimal, nothing about the key of the caller. */
export function paymentView(row: PaymentRow, events: readonly PaymentEvent[]) {
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
