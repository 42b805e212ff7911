import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { GatewayError } from '../../shared/errors.js';
import { BEACON_FIELDS } from '../registry/schema.js';
import { unguarded } from './formats.js';
import type { Candidate } from './import.js';

type Field = (typeof BEACON_FIELDS)[number];

/** The parser takes some 4 ms for this much on a desktop: everybody else has a turn after each piece. */
const PIECE = 32 * 1024;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads CSV (RFC 4180, UTF-8 with or without byte order mark) whose first line names the columns, in any order. An empty
 * field is left out; the apostrophe of our own export is taken away. Throws `INVALID_INPUT` when it is not
 * UTF-8, the header is wrong or quotes do not match; a wrong field is a fault of its row.
 * @param rowsMost where to stop reading: one row more than the caller allows.
 */
export async function readCsv(text: string, rowsMost: number): Promise<Candidate[]> {
  if (text.includes('\uFFFD')) {
    const hint = 'Save it as "CSV UTF-8".';
    throw new GatewayError('INVALID_INPUT', 'the CSV has characters that are not UTF-8', { hint });
  }
  const options = {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  };
  const records: AsyncIterable<string[]> = Readable.from(pieces(text)).pipe(parse(options));
  let columns: Field[] | undefined;
  const rows: Candidate[] = [];
  try {
    for await (const record of records) {
      if (columns) rows.push(candidateOf(columns, record));
      else columns = columnsOf(record);
      if (rows.length === rowsMost) break;
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new GatewayError('INVALID_INPUT', `the CSV is broken: ${error.message}`);
    throw error;
  }
  if (!columns) throw new GatewayError('INVALID_INPUT', 'the CSV is empty: its first line names the columns');
  return rows;
}

async function* pieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE) {
    yield text.slice(at, at + PIECE);
    await nextTurn();
  }
}

function columnsOf(names: readonly string[]): Field[] {
  const columns = names.map((name) => BEACON_FIELDS.find((field) => field === name.trim()));
  const known = columns.filter((name) => name !== undefined);
  const unknown = names[columns.indexOf(undefined)];
  const wrong =
    (known.length < names.length && `"${unknown?.slice(0, 40)}" is not a column`) ||
    (new Set(known).size < known.length && 'a column is there twice') ||
    (!known.includes('id') && 'the column id is missing');
  if (wrong) {
    const hint = `The columns are ${BEACON_FIELDS.join(', ')}; only id is required.`;
    throw new GatewayError('INVALID_INPUT', `in the first line of the CSV ${wrong}`, { hint });
  }
  return known;
}

function candidateOf(columns: readonly Field[], record: readonly string[]): Candidate {
  if (record.length !== columns.length) {
    return { faults: [{ path: '', message: `has ${record.length} fields, not ${columns.length}` }] };
  }
  const entries = columns.map((name, i) => [name, fieldOf(name, record[i] ?? '')] as const);
  return { value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

/** What is no number stays the text it is, so that the check of beacons names it. */
function fieldOf(name: Field, text: string): string | number | undefined {
  if (text === '') return undefined;
  if (name === 'id' || name === 'description' || name === 'longDescription') return unguarded(text);
  return NUMBER.test(text.trim()) ? Number(text) : text;
}
