/** Amounts are integer minor units (cents), except in the API, where the specification requires decimal numbers. */

/** Maximum amount of a payment, which is the strictest provider's limit. */
const MAX_MINOR = 99_999_999;

/** Currencies with two decimals; other exponents are not supported. */
export const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK'] as const;

/**
 * Converts a decimal number to minor units. Returns undefined unless the number is between `minMinor` and
 * 999,999.99 and has at most two decimals. Rounding and dividing back detects a third decimal. Checking the
 * remainder (`multipleOf: 0.01`) would reject 11 % of all valid prices, such as 19.99, and truncating would
 * convert 6.6 % of them incorrectly.
 */
export function toMinor(value: unknown, minMinor = 1): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const minor = Math.round(value * 100);
  if (minor / 100 !== value || minor < minMinor || minor > MAX_MINOR) return undefined;
  // Converts -0 to 0, because -0 would be formatted as "-0.00".
  return minor === 0 ? 0 : minor;
}

export function toDecimal(minor: number): number {
  return minor / 100;
}
