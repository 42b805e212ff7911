import { type Fault, GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { checkerFor, invalidInput } from '../../shared/validation/validate.js';
import { beaconMessage } from '../messages.js';
import { type Beacon, type BeaconInput, beaconIdSchema, beaconInputSchema } from './schema.js';

const checkId = checkerFor<string>(beaconIdSchema);
const checkInput = checkerFor<BeaconInput>(beaconInputSchema);

/** True for the exact ID of a registered beacon. Earlier versions also registered IDs that contain spaces. */
export type IsRegistered = (id: string) => boolean;

const SPACE_OR_CONTROL = /[\p{Z}\p{Cc}\uFEFF]/u;

/** Removes the spaces around an ID, unless the ID is registered with these spaces. */
export function trimId(id: string, isRegistered: IsRegistered): string {
  const trimmed = id.trim();
  return trimmed === id || isRegistered(id) ? id : trimmed;
}

export function readBeacon(
  value: unknown,
  isRegistered: IsRegistered,
): { value: Beacon } | { faults: Fault[] } {
  const isPadded = isJsonObject(value) && typeof value.id === 'string' && value.id.trim() !== value.id;
  const input = isPadded ? { ...value, id: trimId(String(value.id), isRegistered) } : value;
  const checked = checkInput(input);
  const incomplete = positionFaults(input);
  if ('faults' in checked) return { faults: [...checked.faults, ...incomplete] };
  const { id } = checked.value;
  if (SPACE_OR_CONTROL.test(id) && !isRegistered(id)) {
    incomplete.push({ path: '/id', message: beaconMessage('id-characters') });
  }
  return incomplete.length > 0 ? { faults: incomplete } : { value: withDefaults(checked.value) };
}

/** Like `readBeacon`, but throws `INVALID_INPUT` with all errors. */
export function requireBeacon(value: unknown, isRegistered: IsRegistered): Beacon {
  const checked = readBeacon(value, isRegistered);
  if ('faults' in checked) throw invalidInput(checked.faults);
  return checked.value;
}

/** Returns the trimmed ID. Throws `INVALID_INPUT` if the ID is missing, invalid or repeated (an array). */
export function requireBeaconId(value: unknown, isRegistered: IsRegistered): string {
  const id = typeof value === 'string' ? trimId(value, isRegistered) : value;
  if (id === undefined || id === '') {
    throw new GatewayError('INVALID_INPUT', 'id is missing', { field: 'id' });
  }
  if (Array.isArray(id)) {
    throw new GatewayError('INVALID_INPUT', 'id is specified more than once', { field: 'id' });
  }
  const checked = checkId(id);
  if ('value' in checked) return checked.value;
  throw new GatewayError('INVALID_INPUT', 'id must be a string of 6 to 19 characters', {
    field: 'id',
    limit: '6 to 19',
    unit: 'characters',
  });
}

function positionFaults(value: unknown): Fault[] {
  if (!isJsonObject(value)) return [];
  const [lat, long] = [value.lat !== undefined, value.long !== undefined];
  if (lat === long) return [];
  return [{ path: lat ? '/long' : '/lat', message: beaconMessage('half-position') }];
}

function withDefaults({
  id,
  description = '',
  longDescription = '',
  txPower,
  lat,
  long,
}: BeaconInput): Beacon {
  const beacon: Beacon = { id, description, longDescription };
  if (txPower !== undefined) beacon.txPower = txPower;
  if (lat !== undefined && long !== undefined) {
    beacon.lat = lat;
    beacon.long = long;
  }
  return beacon;
}
