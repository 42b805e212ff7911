import { BEACON_FIELDS } from '../registry/schema.js';
import { fromStored } from '../registry/stored.js';

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
  head: `${BEACON_FIELDS.join(',')}\r\n`,
  between: '',
  tail: '',
  one: (json) => {
    const beacon = fromStored(json);
    return `${BEACON_FIELDS.map((name) => csvField(beacon[name])).join(',')}\r\n`;
  },
};

/**
 * First characters that may make a spreadsheet evaluate text as a formula (OWASP, "CSV Injection"):
 * operators, full-width forms, and invisible characters before them. Includes the escaping apostrophe, so
 * that `unescapeFormula` restores every string.
 */
const FORMULA = /^['=+\-@\uff1d\uff0b\uff0d\uff20\p{Z}\p{C}]/u;

export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function unescapeFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

function csvField(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = escapeFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
