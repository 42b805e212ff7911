/** Maximum number of pending or failed payments per customer. */
export const MAX_UNPAID_PAYMENTS = 100;
/**
 * Maximum number of unpaid order lines per customer. The basket that takes the total above the limit is still
 * accepted.
 */
export const MAX_UNPAID_LINES = 200;

const DAY_MS = 86_400_000;
/** One day until the checkout expires, plus seven days for enquiries. */
export const UNPAID_RETENTION_MS = 8 * DAY_MS;
