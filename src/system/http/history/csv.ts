import type { FoundEntry } from '../../history/search.js';
import { historyRow } from './rows.js';

/** Column names do not depend on the language, so that programs can read the file. */
const HEADER = [
  ...['time', 'cart_id', 'cart', 'person', 'event', 'outcome'],
  ...['result', 'reason', 'distance_m', 'duration_s'],
];
const END = '\r\n';

/** The byte order mark makes spreadsheet programs read the file as UTF-8. */
export const CSV_HEAD = `\uFEFF${HEADER.join(',')}${END}`;

/** Returns the lines for the given entries, in the current language. */
export function csvLines(entries: readonly FoundEntry[], cartName: (cartID: number) => string): string {
  return entries.map((entry) => cellsOf(entry, cartName).map(csvCell).join(',') + END).join('');
}

function cellsOf(entry: FoundEntry, cartName: (cartID: number) => string): string[] {
  const { iso, cart, person, what, why, outcome } = historyRow(entry, cartName);
  const { timeline } = entry.view as { timeline?: { ms: number }[] };
  const durationMs = entry.outcome === 'running' ? undefined : timeline?.at(-1)?.ms;
  return [
    ...[iso, String(entry.cartID), cart, person, what, outcome, entry.outcome, why],
    (entry.distanceMm / 1000).toFixed(3),
    durationMs === undefined ? '' : (durationMs / 1000).toFixed(3),
  ];
}

/**
 * Quotes a cell as specified in RFC 4180. Spreadsheet programs interpret text that begins with `=`, `+`, `-`,
 * `@`, a tab or a carriage return as a formula, so an apostrophe is prepended to such text unless it is a
 * number.
 */
export function csvCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
