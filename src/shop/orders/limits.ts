/** Maximum number of unpaid payments (pending or failed) per customer. */
export const MAX_UNPAID_PAYMENTS = 100;
/**
 * Maximum number of unpaid order lines per customer. A basket that causes the customer to exceed the limit is
 * still accepted as a whole.
 */
export const MAX_UNPAID_LINES = 200;

const DAY_MS = 86_400_000;
/** A checkout expires after one day, which leaves a week for enquiries. */
export const UNPAID_RETENTION_MS = 8 * DAY_MS;
