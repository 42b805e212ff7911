/** Pending or failed payments per customer. */
export const MAX_UNPAID_PAYMENTS = 100;
/** Unpaid order lines per customer; the basket that takes the total above the limit is accepted. */
export const MAX_UNPAID_LINES = 200;

const DAY_MS = 86_400_000;
/** One day until the checkout expires, plus seven days for enquiries. */
export const UNPAID_RETENTION_MS = 8 * DAY_MS;
