import { principalName } from '../../../i18n/messages.js';
import { STOP_REASONS } from '../../history/entries.js';
import type { FoundEntry } from '../../history/search.js';
import type { HistoryFigures } from '../../history/statistics.js';
import { dateOf } from './query.js';
import { historyRow } from './rows.js';

/** Column names do not depend on the language, so that programs can read the file. */
const HEADER = [
  ...['time', 'cart_id', 'cart', 'person', 'event', 'outcome'],
  ...['result', 'reason', 'distance_m', 'duration_s', 'press_id'],
];
const END = '\r\n';

/** Makes spreadsheet programs read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
export const CSV_HEAD = `${BYTE_ORDER_MARK}${HEADER.join(',')}${END}`;

export function csvLines(entries: readonly FoundEntry[], cartName: (cartID: number) => string): string {
  return entries.map((entry) => cellsOf(entry, cartName).map(csvCell).join(',') + END).join('');
}

function cellsOf(entry: FoundEntry, cartName: (cartID: number) => string): string[] {
  const { iso, person, what, why, outcome } = historyRow(entry, cartName);
  const cart = cartName(entry.cartID);
  const { timeline, pressId = '' } = entry.view as { timeline?: { ms: number }[]; pressId?: string };
  const durationMs = entry.outcome === 'running' ? undefined : timeline?.at(-1)?.ms;
  return [
    ...[iso, String(entry.cartID), cart, person, what, outcome, entry.outcome, why],
    (entry.distanceMm / 1000).toFixed(3),
    durationMs === undefined ? '' : (durationMs / 1000).toFixed(3),
    pressId,
  ];
}

/** One row per person, longest distance first, or one row per day, oldest first. */
export function statisticsCsv({ days, people }: HistoryFigures, by: 'person' | 'day'): string {
  const rows =
    by === 'person'
      ? [
          ['person', 'distance_m', 'commands'],
          ...people.map(({ person, distanceMm, commands }) => [
            ...[principalName(person), (distanceMm / 1000).toFixed(3), String(commands)],
          ]),
        ]
      : [
          ['date', 'distance_m', 'commands', ...STOP_REASONS.map((reason) => `stops_${reason}`)],
          ...days.map(({ at, distanceMm, commands, stops }) => [
            ...[dateOf(at), (distanceMm / 1000).toFixed(3), String(commands)],
            ...STOP_REASONS.map((reason) => String(stops[reason])),
          ]),
        ];
  return BYTE_ORDER_MARK + rows.map((cells) => cells.map(csvCell).join(',') + END).join('');
}

/**
 * Quotes a cell as specified in RFC 4180. Prepends an apostrophe to text that spreadsheet programs would read
 * as a formula: text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return and is not a number.
 */
export function csvCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
