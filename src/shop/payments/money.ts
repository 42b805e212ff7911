/** Money is whole minor units (cents) everywhere but at the border, where the specification has a decimal number. Pure. */

/** The largest amount of one payment: what the strictest provider takes. */
const MOST_MINOR = 99_999_999;

/** Currencies with two decimals: others need another exponent, which no provider of ours has been tried with. */
export const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK'] as const;

/**
 * A decimal number as minor units, or undefined when it is no amount between `leastMinor` and 999,999.99 with at most two
 * decimals. Rounding and dividing again finds a third decimal: a remainder (`multipleOf: 0.01`) refuses 11 % of all good
 * prices, 19.99 among them, and truncating gets 6.6 % wrong.
 */
export function toMinor(value: unknown, leastMinor = 1): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const minor = Math.round(value * 100);
  if (minor / 100 !== value || minor < leastMinor || minor > MOST_MINOR) return undefined;
  // Not -0, which would be written as "-0.00".
  return minor === 0 ? 0 : minor;
}

/** Minor units as the decimal number of an answer: 1999 is 19.99. */
export function toDecimal(minor: number): number {
  return minor / 100;
}
