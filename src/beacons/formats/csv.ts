import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import type { LatLong } from '../../plan/pure.js';
import { GatewayError } from '../../shared/errors.js';
import { beaconMessage } from '../messages.js';
import { Entries, fieldNamed, type ImportField } from './entries.js';
import { unescapeFormula } from './formats.js';
import type { Candidate } from './import.js';

interface CsvOptions {
  /** Reads at most this number of rows. */
  maxRows: number;
  origin: LatLong;
}

/**
 * Characters parsed in one event-loop iteration, which takes about 1 ms on a desktop; 5 ms for empty rows.
 */
const CHUNK_CHARS = 8 * 1024;
/** Maximum length of a first line that is searched for the separator; longer than any valid header. */
const MAX_HEADER_CHARS = 2000;
const SEPARATORS = [',', ';', '\t'] as const;
const LINE_END = /\r\n|\n|\r/g;
/** A first line that specifies the separator, written by a user or another program. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"]*)"?(?:\r\n|\n|\r|$)/i;
/** How a spreadsheet program displays a long numeric ID. */
const ROUNDED_ID = /^[+-]?\d([.,]\d+)?E[+-]\d{2,3}$/;

/**
 * Reads CSV (RFC 4180, UTF-8 with or without a byte order mark) with columns in any order. The separator is
 * specified by a first line `sep=`; otherwise, it is the one that yields the most column names. Omits empty
 * rows, columns and fields, and removes the apostrophes that the export adds. Reports an invalid field as an
 * error in its row. Throws `INVALID_INPUT` if the header is invalid or the quotes are unbalanced.
 */
export async function readCsv(text: string, { maxRows, origin }: CsvOptions): Promise<Candidate[]> {
  const marked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const named = SEPARATOR_LINE.exec(marked);
  const table = marked.slice(named?.[0].length ?? 0);
  const separator = named ? supported(named[1] ?? '') : separatorOf(table);
  const entries = new Entries(origin, separator === ',' ? '.' : undefined);
  let columns: Column[] | undefined;
  let line = named ? 2 : 1;
  const onRecord = (record: string[]): null => {
    const first = line;
    // Counts the lines here, because the parser counts a CRLF inside quotes twice.
    line += 1 + record.reduce((lines, field) => lines + (field.match(LINE_END)?.length ?? 0), 0);
    if (record.every((field) => field.trim() === '')) return null;
    if (!columns) columns = columnsOf(record, first);
    else if (entries.count < maxRows) addRow(entries, columns, { record, line: first });
    return null;
  };
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    on_record: onRecord,
  });
  try {
    await pipeline(Readable.from(chunksOf(table)), parser.resume());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const hint = beaconMessage('import-csv-quotes-hint');
    throw new GatewayError('INVALID_INPUT', beaconMessage('import-csv-quotes', { line }), { hint });
  }
  if (!columns) {
    const hint = beaconMessage('import-csv-empty-hint');
    throw new GatewayError('INVALID_INPUT', beaconMessage('import-csv-empty'), { hint });
  }
  return entries.finish();
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += CHUNK_CHARS) {
    yield text.slice(at, at + CHUNK_CHARS);
    await nextTurn();
  }
}

type Separator = (typeof SEPARATORS)[number];

function supported(name: string): Separator {
  const separator = SEPARATORS.find((known) => known === name || known === name.trim());
  if (separator) return separator;
  throw new GatewayError('INVALID_INPUT', beaconMessage('import-csv-separator', { name: name.slice(0, 40) }));
}

/** Returns the separator that yields the most known column names; the comma if there is only one name. */
function separatorOf(table: string): Separator {
  const [header = ''] = table
    .trimStart()
    .slice(0, MAX_HEADER_CHARS)
    .split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((separator) => {
    const names = header.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
    return [names.filter((name) => fieldNamed(name)).length, names.length] as const;
  });
  const best = counts.reduce((a, b) => (b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? b : a));
  return SEPARATORS[counts.indexOf(best)] ?? ',';
}

/** Undefined for a column without a name, which must be empty. */
type Column = ImportField | undefined;

/** Columns without a name at the end are omitted. */
function columnsOf(header: readonly string[], line: number): Column[] {
  const names = header.slice(0, header.findLastIndex((name) => name.trim() !== '') + 1);
  const columns = names.map(fieldNamed);
  const unknown = names.find((name, i) => name.trim() !== '' && columns[i] === undefined);
  const known = columns.filter((field) => field !== undefined);
  const twice = known.find((field, i) => known.indexOf(field) !== i);
  const reason =
    (unknown !== undefined && beaconMessage('import-csv-unknown', { name: unknown.trim().slice(0, 40) })) ||
    (twice !== undefined && beaconMessage('import-csv-twice', { name: twice })) ||
    (!known.includes('id') && beaconMessage('import-csv-no-id'));
  if (reason) {
    const hint = beaconMessage('import-csv-header-hint');
    throw new GatewayError('INVALID_INPUT', beaconMessage('import-csv-header', { line, reason }), { hint });
  }
  return columns;
}

function addRow(
  entries: Entries,
  columns: readonly Column[],
  { record, line }: { record: readonly string[]; line: number },
): void {
  const fields: Record<string, string> = {};
  const isWithoutName = record.some((text, i) => columns[i] === undefined && text.trim() !== '');
  if (isWithoutName || record.length < columns.length) {
    const counts = { count: record.length, expected: columns.length };
    const isTooLong = record.length > columns.length;
    const message =
      isWithoutName && !isTooLong
        ? beaconMessage('import-csv-no-name')
        : beaconMessage('import-csv-count', counts);
    return entries.addFault('', message, { line });
  }
  for (const [i, field] of columns.entries()) {
    const text = record[i] ?? '';
    if (field === undefined || text === '') continue;
    const isText = field === 'id' || field === 'description' || field === 'longDescription';
    if (isText) fields[field] = unescapeFormula(text);
    else if (text.trim() !== '') fields[field] = text;
  }
  const isRounded = ROUNDED_ID.test(fields.id?.trim() ?? '');
  const rounded = { path: '/id', message: beaconMessage('import-rounded-id') };
  entries.add(fields, { line, ...(isRounded ? { unlessRegistered: rounded } : {}) });
}
