import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { GatewayError } from '../../shared/errors.js';
import { BEACON_FIELDS } from '../registry/schema.js';
import { unescapeFormula } from './formats.js';
import type { Candidate } from './import.js';

type Field = (typeof BEACON_FIELDS)[number];

/** Characters parsed in one event-loop iteration, which takes about 4 ms on a desktop. */
const CHUNK_CHARS = 32 * 1024;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads CSV (RFC 4180, UTF-8 with or without a byte order mark) with columns in any order. Omits empty fields
 * and removes the apostrophes that the export adds. Reports an invalid field as an error in its row. Throws
 * `INVALID_INPUT` if the header is invalid or the quotes are unbalanced.
 */
export async function readCsv(text: string, maxRows: number): Promise<Candidate[]> {
  const options = {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  };
  const records: AsyncIterable<string[]> = Readable.from(chunksOf(text)).pipe(parse(options));
  let columns: Field[] | undefined;
  const rows: Candidate[] = [];
  try {
    for await (const record of records) {
      if (columns) rows.push(candidateOf(columns, record));
      else columns = columnsOf(record);
      if (rows.length === maxRows) break;
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new GatewayError('INVALID_INPUT', `the CSV cannot be parsed: ${error.message}`);
    throw error;
  }
  if (!columns) {
    const hint = 'The first line must contain the column names.';
    throw new GatewayError('INVALID_INPUT', 'the CSV is empty', { hint });
  }
  return rows;
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += CHUNK_CHARS) {
    yield text.slice(at, at + CHUNK_CHARS);
    await nextTurn();
  }
}

function columnsOf(names: readonly string[]): Field[] {
  const columns = names.map((name) => BEACON_FIELDS.find((field) => field === name.trim()));
  const known = columns.filter((name) => name !== undefined);
  const unknown = names[columns.indexOf(undefined)];
  const reason =
    (known.length < names.length && `"${unknown?.slice(0, 40)}" is not a known column`) ||
    (new Set(known).size < known.length && 'a column name occurs more than once') ||
    (!known.includes('id') && 'the id column is missing');
  if (reason) {
    const hint = `Valid columns are ${BEACON_FIELDS.join(', ')}; only id is required.`;
    throw new GatewayError('INVALID_INPUT', `the first line of the CSV is invalid: ${reason}`, { hint });
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

function fieldOf(name: Field, text: string): string | number | undefined {
  if (text === '') return undefined;
  if (name === 'id' || name === 'description' || name === 'longDescription') return unescapeFormula(text);
  return NUMBER.test(text.trim()) ? Number(text) : text;
}
