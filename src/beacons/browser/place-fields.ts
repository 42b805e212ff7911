import { find } from '../../web/browser/dom.js';
import type { LatLong } from '../positioning/geodesy.js';
import { offsetFrom, placeAt } from '../positioning/site-frame.js';

type Name = 'east' | 'north' | 'lat' | 'long';

/** Returns the coordinates in the element's `data-origin`; 0, 0 if there are none. */
export function originIn(element: HTMLElement | undefined): LatLong {
  const [lat = 0, long = 0] = (element?.dataset.origin ?? '').split(',').map(Number);
  return { lat, long };
}

/** Keeps the metres and the coordinates in the beacon form in sync while the user types. */
export function initPlaceFields(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.id === 'beacon-east' || target.id === 'beacon-north') writeCoordinates();
    if (target.id === 'beacon-lat' || target.id === 'beacon-long') writeMetres();
  });
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
  // While a value is incomplete, the coordinates are reset, because the gateway uses the metres only if the
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

function put(name: Name, text: string): void {
  const field = find<HTMLInputElement>(`#beacon-${name}`);
  if (field) field.value = text;
}

function numberIn(name: Name): number | undefined {
  const text = (find<HTMLInputElement>(`#beacon-${name}`)?.value ?? '').trim().replace(',', '.');
  const value = Number(text.replace('−', '-'));
  return text === '' || Number.isNaN(value) ? undefined : value;
}
