import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LatLong } from '../../plan/pure.js';
import { GatewayError } from '../../shared/errors.js';
import { isJsonObject, parseLongJson } from '../../shared/validation/json.js';
import { beaconMessage } from '../messages.js';
import { Entries, fieldNamed } from './entries.js';
import { isGeoJson, readGeoJson } from './geojson.js';
import type { Candidate } from './import.js';

interface JsonOptions {
  maxBytes: number;
  origin: LatLong;
}

/** Characters scanned in one event-loop iteration, which takes about 1 ms on a desktop. */
const SLICE_CHARS = 128 * 1024;
const SLICE_ENTRIES = 500;
const [QUOTE, BACKSLASH, OPEN, CLOSE, COLON] = ['"', '\\', '{', '}', ':'].map((one) => one.charCodeAt(0));

/**
 * Reads GeoJSON, an array of beacons, a single beacon, or an object whose only member `beacons` is an array.
 * Throws `INVALID_INPUT` for anything else, for a syntax error and for a name that an object contains twice.
 */
export async function readJsonImport(text: string, { maxBytes, origin }: JsonOptions): Promise<Candidate[]> {
  const value = await parseLongJson(text, { maxBytes });
  await rejectRepeatedNames(text);
  const entries = new Entries(origin, '.');
  if (isGeoJson(value)) await readGeoJson(value, entries);
  else {
    for (const [at, entry] of listOf(value).entries()) {
      if (at % SLICE_ENTRIES === SLICE_ENTRIES - 1) await nextTurn();
      entries.addJson(entry);
    }
  }
  return entries.finish();
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isJsonObject(value)) {
    const names = Object.keys(value);
    if (names.length === 1 && Array.isArray(value.beacons)) return value.beacons;
    if (names.some((name) => fieldNamed(name) === 'id')) return [value];
  }
  throw new GatewayError('INVALID_INPUT', beaconMessage('import-kind'));
}

/**
 * `JSON.parse` keeps only the last of several members with the same name.
 * @param text valid JSON.
 */
async function rejectRepeatedNames(text: string): Promise<void> {
  const open: Set<string>[] = [];
  let sliceEnd = SLICE_CHARS;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= sliceEnd) {
      sliceEnd = at + SLICE_CHARS;
      await nextTurn();
    }
    const char = text.charCodeAt(at);
    if (char === OPEN) open.push(new Set());
    else if (char === CLOSE) open.pop();
    if (char !== QUOTE) continue;
    const start = at;
    for (at += 1; text.charCodeAt(at) !== QUOTE; at += 1) if (text.charCodeAt(at) === BACKSLASH) at += 1;
    if (!isName(text, at + 1)) continue;
    const name: string = JSON.parse(text.slice(start, at + 1));
    if (open.at(-1)?.has(name)) {
      const line = text.slice(0, start).split('\n').length;
      const params = { line, name: name.slice(0, 40) };
      throw new GatewayError('INVALID_INPUT', beaconMessage('import-name-twice', params));
    }
    open.at(-1)?.add(name);
  }
}

/** Returns true if the string that ends before `at` is a name, that is, if a colon follows it. */
function isName(text: string, at: number): boolean {
  let next = at;
  while (/\s/.test(text.charAt(next))) next += 1;
  return text.charCodeAt(next) === COLON;
}
