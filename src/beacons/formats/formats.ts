import {
  BYTE_ORDER_MARK,
  type CsvStyle,
  decimalText,
  EXCEL_CSV,
  PLAIN_CSV,
  quotedField,
} from '../../shared/csv.js';
import { BEACON_FIELDS, fromStored } from '../registry/schema.js';

/** Encodes a list of beacons as `head`, the beacons separated by `between`, and `tail`. */
export interface Encoding {
  name: string;
  contentType: string;
  head: string;
  between: string;
  tail: string;
  one(json: string): string;
}

export const jsonEncoding: Encoding = {
  name: 'json',
  contentType: 'application/json; charset=utf-8',
  head: '[',
  between: ',',
  tail: ']',
  one: (json) => json,
};

/** RFC 7946: one feature per beacon. The geometry is a [longitude, latitude] point or null. */
export const geoJsonEncoding: Encoding = {
  name: 'geojson',
  contentType: 'application/geo+json; charset=utf-8',
  head: '{"type":"FeatureCollection","features":[',
  between: ',',
  tail: ']}',
  one: (json) => {
    const { id, lat, long, ...properties } = fromStored(json);
    const isPlaced = lat !== undefined && long !== undefined;
    const geometry = isPlaced ? { type: 'Point', coordinates: [long, lat] } : null;
    return JSON.stringify({ type: 'Feature', id, geometry, properties });
  },
};

/** RFC 4180 with a header line. Missing values are empty fields. */
export const csvEncoding: Encoding = {
  name: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  head: csvLine(BEACON_FIELDS, PLAIN_CSV),
  between: '',
  tail: '',
  one: (json) => {
    const beacon = fromStored(json);
    return csvLine(
      BEACON_FIELDS.map((name) => csvField(beacon[name], PLAIN_CSV)),
      PLAIN_CSV,
    );
  },
};

/**
 * CSV for spreadsheet programs with a decimal comma. A file that such a program has saved can be imported
 * again.
 */
export const excelEncoding: Encoding = {
  name: 'excel',
  contentType: csvEncoding.contentType,
  head: BYTE_ORDER_MARK + csvLine(BEACON_FIELDS, EXCEL_CSV),
  between: '',
  tail: '',
  one: (json) => {
    const beacon = fromStored(json);
    return csvLine(
      BEACON_FIELDS.map((name) => csvField(beacon[name], EXCEL_CSV)),
      EXCEL_CSV,
    );
  },
};

/** Returns an import file without rows. Each beacon has either `lat` and `long` or, in metres, `x` and `y`. */
export function csvTemplate(style: CsvStyle): string {
  return BYTE_ORDER_MARK + csvLine([...BEACON_FIELDS, 'x', 'y'], style);
}

function csvLine(fields: readonly string[], { separator }: CsvStyle): string {
  return `${fields.join(separator)}\r\n`;
}

/**
 * First characters that may make a spreadsheet evaluate text as a formula (OWASP, "CSV Injection"):
 * operators, full-width forms, and invisible characters before them. Includes the escaping apostrophe, so
 * that `unescapeFormula` restores every string.
 */
const FORMULA = /^['=+\-@\uff1d\uff0b\uff0d\uff20\p{Z}\p{C}]/u;

/**
 * Text that a spreadsheet program may convert to a number, a date, a time or a truth value when it opens CSV.
 */
const CONVERTED =
  /^\s*([\d.,($€£][\d\s.,:/()+%€$£-]*(e[+-]?\d+|[ap]m?)?|true|false|waar|onwaar|[\d\s./-]*(jan|feb|mar|mrt|maa|apr|may|mei|jun|jul|aug|sep|oct|okt|nov|dec)[a-z]*[\d\s./-]*)\s*$/i;

export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function unescapeFormula(text: string): string {
  const rest = text.slice(1);
  return text.startsWith("'") && (FORMULA.test(rest) || CONVERTED.test(rest)) ? rest : text;
}

function csvField(value: string | number | undefined, style: CsvStyle): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return decimalText(value, style);
  const isConverted = style === EXCEL_CSV && CONVERTED.test(value);
  return quotedField(isConverted ? `'${value}` : escapeFormula(value), style);
}
