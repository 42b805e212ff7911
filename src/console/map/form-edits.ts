import type { Beacon } from '../../beacons/index.js';
import { conflictError, mergeEdits } from '../../http/server/form-edits.js';
import { type LatLong, offsetFrom } from '../../plan/index.js';
import type { GatewayError } from '../../shared/errors.js';
import { beaconTexts, type MapForm } from './context.js';
import { coordinatesOf } from './form-position.js';
import { offsetText } from './offset-text.js';

const EDITED = ['description', 'longDescription', 'txPower', 'place'] as const;

type Edited = (typeof EDITED)[number];
type Entered = MapForm['entered'];

/** The form fields that belong to each value; the first one shows a conflict. */
const FIELDS: Record<Edited, readonly (keyof Entered)[]> = {
  description: ['description'],
  longDescription: ['longDescription'],
  txPower: ['txPower'],
  place: ['east', 'north', 'lat', 'long', 'at'],
};

/** Returns the initial values of a beacon's form. */
export function openedBeacon(beacon: Beacon): string {
  return JSON.stringify(valuesOf(beacon));
}

/**
 * Returns the form with the stored value in each field that its user has not edited, and an `ETAG_MISMATCH` error
 * with a fault for each edited field that was changed in the meantime. Throws `INVALID_INPUT` like
 * `coordinatesOf`.
 */
export function withStoredValues(
  entered: Entered,
  {
    opened,
    current,
    origin,
  }: { opened: Readonly<Record<string, unknown>>; current: Beacon; origin: LatLong },
): { entered: Entered; conflict?: GatewayError } {
  const { edited, conflicts } = mergeEdits(EDITED, {
    opened,
    entered: enteredValues(entered),
    current: valuesOf(current),
  });
  const stored = beaconTexts(current, origin);
  const kept = EDITED.filter((name) => !edited.includes(name)).flatMap((name) => FIELDS[name]);
  // The stored position in metres is relative to the current origin, so the origin is kept too.
  if (kept.includes('east')) kept.push('origin');
  const merged = { ...entered, ...Object.fromEntries(kept.map((name) => [name, stored[name] ?? ''])) };
  if (conflicts.length === 0) return { entered: merged };
  const fields = conflicts.map((name) => ({
    name: FIELDS[name][0] ?? '',
    shown: shownValue(name, current, origin),
  }));
  return { entered: merged, conflict: conflictError(fields) };
}

function valuesOf({ description, longDescription, txPower, lat, long }: Beacon): Record<Edited, unknown> {
  return {
    description,
    longDescription: plainLines(longDescription),
    txPower: String(txPower ?? ''),
    place: [String(lat ?? ''), String(long ?? '')],
  };
}

function enteredValues(entered: Entered): Record<Edited, unknown> {
  const { description = '', longDescription = '', txPower = '' } = entered;
  const { lat, long } = coordinatesOf(entered);
  return {
    description,
    longDescription: plainLines(longDescription),
    txPower: txPower.trim(),
    place: [lat.trim(), long.trim()],
  };
}

/** Browsers submit CRLF line endings. */
function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function shownValue(name: Edited, beacon: Beacon, origin: LatLong): string {
  if (name !== 'place') return String(beacon[name] ?? '');
  const { lat, long } = beacon;
  return lat === undefined || long === undefined ? '' : offsetText(offsetFrom(origin, { lat, long }));
}
