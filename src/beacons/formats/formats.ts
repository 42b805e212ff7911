import { BEACON_FIELDS } from '../registry/schema.js';
import { fromStored } from '../registry/stored.js';

/** How a list of beacons is written: `head`, the beacons with `between` between them, `tail`. */
export interface Encoding {
  name: string;
  contentType: string;
  head: string;
  between: string;
  tail: string;
  /** Takes the beacon's JSON. */
  one(json: string): string;
}

/** A plain array, as the specification has it. */
export const jsonEncoding: Encoding = {
  name: 'json',
  contentType: 'application/json; charset=utf-8',
  head: '[',
  between: ',',
  tail: ']',
  one: (json) => json,
};

/** RFC 7946: one feature a beacon, positions as [longitude, latitude]; no position is a null geometry. */
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

/** RFC 4180 with a header line; what is not known is an empty field. */
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
 * A spreadsheet may run a text that begins like this as a formula (OWASP, "CSV Injection"): the signs, their full-width
 * forms, and what is invisible and may be dropped before them. The apostrophe that prevents it is itself on the list, so
 * that removing one gives back every text.
 */
const FORMULA = /^['=+\-@\uff1d\uff0b\uff0d\uff20\p{Z}\p{C}]/u;

/** Guards a text for CSV. */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that `guarded` was given. */
export function unguarded(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

function csvField(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = guarded(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
