import { beaconMessage, type POSITION_FIELDS } from '../../beacons/index.js';
import { type LatLong, offsetFrom, placeAt } from '../../plan/index.js';
import { NUMBER, plainNumber } from '../../shared/validation/number-text.js';
import { invalidInput } from '../../shared/validation/validate.js';

type Texts = Readonly<Partial<Record<'lat' | 'long' | (typeof POSITION_FIELDS)[number], string>>>;

export function metreTexts(origin: LatLong, at: LatLong | undefined): { east: string; north: string } {
  if (!at) return { east: '', north: '' };
  const { eastM, northM } = offsetFrom(origin, at);
  return { east: eastM.toFixed(2), north: northM.toFixed(2) };
}

/**
 * Returns the coordinates of the position in a form. Changed coordinates take precedence over metres, because the
 * coordinate fields are under Advanced. Throws `INVALID_INPUT` if the metres are incomplete or not numbers.
 */
export function coordinatesOf(entered: Texts): { lat: string; long: string } {
  const { lat = '', long = '', east = '', north = '' } = entered;
  const [origin, at] = [latLongOf(entered.origin), latLongOf(entered.at)];
  const areCoordinatesChanged =
    lat.trim() !== String(at?.lat ?? '') || long.trim() !== String(at?.long ?? '');
  const before = metreTexts(origin ?? { lat: 0, long: 0 }, at);
  const areMetresChanged = east.trim() !== before.east || north.trim() !== before.north;
  if (!origin || areCoordinatesChanged || !areMetresChanged) return { lat, long };
  if (east.trim() === '' && north.trim() === '') return { lat: '', long: '' };
  const place = placeAt(origin, { eastM: metresIn('east', east), northM: metresIn('north', north) });
  if (!place) throw invalidInput([{ path: '/east', message: beaconMessage('metres') }]);
  return { lat: String(place.lat), long: String(place.long) };
}

export function latLongText({ lat, long }: LatLong): string {
  return `${lat},${long}`;
}

function latLongOf(text: string | undefined): LatLong | undefined {
  const parts = (text ?? '').split(',');
  const [lat, long] = parts.map(Number);
  const isValid = parts.length === 2 && parts.every((part) => part.trim() !== '');
  if (!isValid || lat === undefined || long === undefined) return undefined;
  return Math.abs(lat) <= 90 && Math.abs(long) <= 180 ? { lat, long } : undefined;
}

function metresIn(name: 'east' | 'north', text: string): number {
  const plain = plainNumber(text);
  if (NUMBER.test(plain)) return Number(plain);
  throw invalidInput([{ path: `/${name}`, message: beaconMessage('metres') }]);
}
