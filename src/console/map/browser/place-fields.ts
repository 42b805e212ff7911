import { type LatLong, offsetFrom, placeAt } from '../../../plan/pure.js';
import { plainNumber } from '../../../shared/validation/number-text.js';
import { find, isChanged } from '../../browser/dom.js';

type Name = 'east' | 'north' | 'lat' | 'long';

/** Returns the element's `data-origin`; 0, 0 if it is missing. */
export function originIn(element: HTMLElement | undefined): LatLong {
  const [lat = 0, long = 0] = (element?.dataset.origin ?? '').split(',').map(Number);
  return { lat, long };
}

/** Converts between metres and coordinates in the beacon form while the user types. */
export function initPlaceFields(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.id === 'beacon-east' || target.id === 'beacon-north') writeCoordinates();
    if (target.id === 'beacon-lat' || target.id === 'beacon-long') writeMetres();
  });
  // Numbers may have been entered before this script started.
  if (isEntered('lat') || isEntered('long')) writeMetres();
  else if (isEntered('east') || isEntered('north')) writeCoordinates();
}

export function fillPlace(place: LatLong): void {
  put('lat', place.lat.toFixed(7));
  put('long', place.long.toFixed(7));
  writeMetres();
}

function writeCoordinates(): void {
  const [eastM, northM] = [numberIn('east'), numberIn('north')];
  const place =
    eastM === undefined || northM === undefined ? undefined : placeAt(formOrigin(), { eastM, northM });
  // While a number is incomplete, the coordinates are reset: the gateway uses the metres only if the
  // coordinates are unchanged.
  const [lat = '', long = ''] = find<HTMLInputElement>('#beacon-form [name="at"]')?.value.split(',') ?? [];
  put('lat', place ? String(place.lat) : lat);
  put('long', place ? String(place.long) : long);
}

function writeMetres(): void {
  const [lat, long] = [numberIn('lat'), numberIn('long')];
  if (lat === undefined || long === undefined || Math.abs(lat) > 90 || Math.abs(long) > 180) return;
  const { eastM, northM } = offsetFrom(formOrigin(), { lat, long });
  put('east', eastM.toFixed(2));
  put('north', northM.toFixed(2));
}

function formOrigin(): LatLong {
  return originIn(find('[data-beacon-form]'));
}

function isEntered(name: Name): boolean {
  const field = fieldOf(name);
  return field !== undefined && isChanged(field);
}

function put(name: Name, text: string): void {
  const field = fieldOf(name);
  if (field) field.value = text;
}

function numberIn(name: Name): number | undefined {
  const text = plainNumber(fieldOf(name)?.value ?? '');
  const value = Number(text);
  return text === '' || Number.isNaN(value) ? undefined : value;
}

function fieldOf(name: Name): HTMLInputElement | undefined {
  return find<HTMLInputElement>(`#beacon-${name}`);
}
