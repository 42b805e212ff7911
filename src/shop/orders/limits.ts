/** Unpaid payments (pending or failed) per customer. */
export const MAX_UNPAID_PAYMENTS = 100;
/** Unpaid order lines per customer. A basket that crosses the limit is still accepted as a whole. */
export const MAX_UNPAID_LINES = 200;

const DAY_MS = 86_400_000;
/** A checkout expires after one day, which leaves a week for enquiries. */
export const UNPAID_RETENTION_MS = 8 * DAY_MS;
