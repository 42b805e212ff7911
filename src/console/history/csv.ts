import { upperFirst } from '../../i18n/format.js';
import { actorLabel } from '../../i18n/messages.js';
import { BYTE_ORDER_MARK, type CsvStyle, decimalText, PLAIN_CSV, quotedField } from '../../shared/csv.js';
import { dateOf, type FoundEntry, type HistoryFigures, STOP_REASONS } from '../../system/index.js';
import { commandStateText } from '../labels/labels.js';
import { commandIn, historyRow, sha256In } from './rows.js';

/** Column names do not depend on the language, so that programs can read the file. */
const HEADER = [
  'time',
  'cart_id',
  'cart',
  'person',
  'event',
  'outcome',
  'result',
  'reason',
  'distance_m',
  'duration_s',
  'press_id',
  'sha256',
];
const END = '\r\n';

export function csvHead({ separator }: CsvStyle): string {
  return `${BYTE_ORDER_MARK}${HEADER.join(separator)}${END}`;
}

export function csvLines(
  entries: readonly FoundEntry[],
  cartName: (cartID: number) => string,
  style: CsvStyle = PLAIN_CSV,
): string {
  return entries.map((entry) => csvLine(cellsOf(entry, cartName, style), style)).join('');
}

function csvLine(cells: readonly string[], style: CsvStyle): string {
  return cells.map((cell) => csvCell(cell, style)).join(style.separator) + END;
}

function cellsOf(entry: FoundEntry, cartName: (cartID: number) => string, style: CsvStyle): string[] {
  const { iso, person, what, why, outcome } = historyRow(entry, cartName);
  const command = commandIn(entry);
  const end = command ? upperFirst(commandStateText(command.state)) : outcome;
  const cart = cartName(entry.cartID);
  const { timeline, pressId = '' } = entry.view as { timeline?: { ms: number }[]; pressId?: string };
  const durationMs = entry.outcome === 'running' ? undefined : timeline?.at(-1)?.ms;
  return [
    iso,
    String(entry.cartID),
    cart,
    person,
    what,
    end,
    entry.outcome,
    why,
    thousandths(entry.distanceMm, style),
    durationMs === undefined ? '' : thousandths(durationMs, style),
    pressId,
    sha256In(entry),
  ];
}

/** Returns CSV with one row per person, longest distance first, or one row per day, oldest first. */
export function statisticsCsv(
  { days, people }: HistoryFigures,
  by: 'person' | 'day',
  style: CsvStyle = PLAIN_CSV,
): string {
  const rows =
    by === 'person'
      ? [
          ['person', 'distance_m', 'commands'],
          ...people.map(({ actor, distanceMm, commands }) => [
            actorLabel(actor),
            thousandths(distanceMm, style),
            String(commands),
          ]),
        ]
      : [
          ['date', 'distance_m', 'commands', ...STOP_REASONS.map((reason) => `stops_${reason}`)],
          ...days.map(({ at, distanceMm, commands, stops }) => [
            dateOf(at),
            thousandths(distanceMm, style),
            String(commands),
            ...STOP_REASONS.map((reason) => String(stops[reason])),
          ]),
        ];
  return BYTE_ORDER_MARK + rows.map((cells) => csvLine(cells, style)).join('');
}

function thousandths(value: number, style: CsvStyle): string {
  return decimalText((value / 1000).toFixed(3), style);
}

/**
 * Quotes a cell as specified in RFC 4180. Prepends an apostrophe to text that spreadsheet programs would read
 * as a formula: text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return and is not a number.
 */
export function csvCell(text: string, style: CsvStyle = PLAIN_CSV): string {
  const number = style.decimalMark === '.' ? /^[+-]?\d+(\.\d+)?$/ : /^[+-]?\d+(,\d+)?$/;
  const isFormula = /^[=+\-@\t\r]/.test(text) && !number.test(text);
  return quotedField(isFormula ? `'${text}` : text, style);
}
