/** Unpaid payments of one customer, pending and failed, that are kept at once. */
export const MAX_UNPAID_PAYMENTS = 100;
/** Unpaid order lines of one customer at once. A basket that exceeds it is still accepted as a whole. */
export const MAX_UNPAID_LINES = 200;

const DAY_MS = 86_400_000;
/** A provider's checkout expires after one day; a buyer has a week to ask about it. */
export const UNPAID_KEPT_MS = 8 * DAY_MS;
