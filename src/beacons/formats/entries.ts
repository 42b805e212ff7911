import { type LatLong, placeAt } from '../../plan/pure.js';
import type { Fault } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { beaconMessage } from '../messages.js';
import type { Candidate } from './import.js';

const FIELDS = {
  id: 'id',
  description: 'description',
  longdescription: 'longDescription',
  txpower: 'txPower',
  lat: 'lat',
  latitude: 'lat',
  long: 'long',
  lon: 'long',
  lng: 'long',
  longitude: 'long',
  x: 'x',
  y: 'y',
} as const;

/** `x` and `y` are metres east and north of the origin of the Map page. */
export type ImportField = (typeof FIELDS)[keyof typeof FIELDS];

const BY_NAME = new Map<string, ImportField>(Object.entries(FIELDS));
const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?$/;
/** A number whose mark may be a thousands separator instead of a decimal mark, such as `1.234`. */
const MAYBE_GROUPED = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;
/** Maximum coordinate in metres: larger than any site, and smaller than the northings of national grids. */
const MAX_METRES = 10_000;
const MAX_PLAUSIBLE_DEGREES = 360;

type Source = Pick<Candidate, 'line' | 'unlessRegistered'>;

/** Returns the field with this name or synonym. Ignores case and surrounding spaces. */
export function fieldNamed(name: string): ImportField | undefined {
  return BY_NAME.get(name.trim().toLowerCase());
}

/**
 * Converts the entries of an imported file to beacons. A number can be text with a decimal point or a decimal comma.
 * Values in degrees and dBm are below a thousand, so each mark in them is a decimal mark. In metres, a mark that may be
 * a thousands separator is an error.
 */
export class Entries {
  readonly #candidates: Candidate[] = [];
  readonly #origin: LatLong;
  readonly #decimalMark: '.' | undefined;
  readonly #marks = new Set<string>();
  readonly #maybeGrouped: { at: number; path: string; text: string }[] = [];
  readonly #inMetres: number[] = [];
  #hasDegrees = false;

  /** @param decimalMark undefined if the format allows both marks. */
  constructor(origin: LatLong, decimalMark?: '.') {
    this.#origin = origin;
    this.#decimalMark = decimalMark;
  }

  get count(): number {
    return this.#candidates.length;
  }

  /** Adds a JSON value. Treats null members as missing, and keeps unknown members, which then fail validation. */
  addJson(value: unknown): void {
    if (!isJsonObject(value)) return void this.#candidates.push({ value });
    const fields = new Map<string, unknown>();
    for (const [name, member] of Object.entries(value)) {
      if (member === null) continue;
      const field = fieldNamed(name) ?? name;
      if (fields.has(field)) return this.addFault(`/${field}`, beaconMessage('import-field-twice'));
      fields.set(field, member);
    }
    this.add(Object.fromEntries(fields));
  }

  add({ x, y, ...value }: Record<string, unknown>, source: Source = {}): void {
    for (const name of ['txPower', 'lat', 'long']) {
      if (typeof value[name] === 'string') value[name] = this.#number(value[name]);
    }
    const isInDegrees = value.lat !== undefined || value.long !== undefined;
    this.#hasDegrees ||= isInDegrees;
    if (x === undefined && y === undefined) {
      const faults = ['lat', 'long']
        .filter((name) => Math.abs(Number(value[name])) > MAX_PLAUSIBLE_DEGREES)
        .map((name) => ({ path: `/${name}`, message: beaconMessage('import-projected') }));
      this.#candidates.push(faults.length > 0 ? { ...source, value, faults } : { ...source, value });
      return;
    }
    if (isInDegrees) return this.addFault('/x', beaconMessage('import-two-positions'), source);
    this.#inMetres.push(this.count);
    const [eastM, northM] = [this.#metres('/x', x), this.#metres('/y', y)];
    const faults = [eastM, northM].filter((result) => typeof result === 'object');
    if (typeof eastM === 'number' && typeof northM === 'number') {
      const place = placeAt(this.#origin, { eastM, northM });
      this.#candidates.push({ ...source, value: { ...value, ...place } });
    } else this.#candidates.push({ ...source, value: { ...value, x, y }, faults });
  }

  addFault(path: string, message: Text, source: Source = {}): void {
    this.#candidates.push({ ...source, faults: [{ path, message }] });
  }

  /** Performs the checks that require the whole file, and returns the candidates. */
  finish(): Candidate[] {
    for (const { at, path, text } of this.#maybeGrouped) {
      const isOtherMark = this.#decimalMark !== undefined && !text.includes(this.#decimalMark);
      if (isOtherMark || this.#marks.size > 1)
        this.#reject(at, path, beaconMessage('import-grouped', { text }));
    }
    // If there is no floor plan, positions in degrees would move the origin of the positions in metres.
    if (this.#hasDegrees) {
      for (const at of this.#inMetres) this.#reject(at, '/x', beaconMessage('import-mixed'));
    }
    return this.#candidates;
  }

  #reject(at: number, path: string, message: Text): void {
    const { line, value, faults = [] } = this.#candidates[at] ?? {};
    this.#candidates[at] = { ...(line && { line }), value, faults: [...faults, { path, message }] };
  }

  /** Keeps text that is not a number, so that validation rejects it. */
  #number(text: string): number | string {
    const plain = text.trim().replace('−', '-');
    if (!NUMBER.test(plain)) return text;
    const mark = /[.,]/.exec(plain)?.[0];
    if (mark) this.#marks.add(mark);
    return Number(plain.replace(',', '.'));
  }

  #metres(path: string, value: unknown): number | Fault {
    if (value === undefined) return { path, message: beaconMessage('import-half-metres') };
    const metres = typeof value === 'string' ? this.#number(value) : value;
    if (typeof metres !== 'number') return { path, message: beaconMessage('metres') };
    if (Math.abs(metres) > MAX_METRES) {
      return { path, message: beaconMessage('import-far', { limit: MAX_METRES }) };
    }
    if (typeof value === 'string' && MAYBE_GROUPED.test(value.trim().replace('−', '-'))) {
      this.#maybeGrouped.push({ at: this.count, path, text: value.trim() });
    }
    return metres;
  }
}
