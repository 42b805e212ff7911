import { type Fault, GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { validationMessage } from '../../shared/validation/messages.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { beaconMessage } from '../messages.js';
import { type Beacon, type BeaconInput, beaconIdSchema, beaconInputSchema } from './schema.js';

const checkId = checkerFor<string>(beaconIdSchema);
const checkInput = checkerFor<BeaconInput>(beaconInputSchema);

/** A beacon, or everything that is wrong with the value. */
export function readBeacon(value: unknown): { value: Beacon } | { faults: Fault[] } {
  const checked = checkInput(value);
  const halves = halfPosition(value);
  if ('faults' in checked) return { faults: [...checked.faults, ...halves] };
  return halves.length > 0 ? { faults: halves } : { value: completed(checked.value) };
}

/** The beacon of a request body. Throws `INVALID_INPUT` with every fault. */
export function requireBeacon(value: unknown): Beacon {
  const checked = readBeacon(value);
  if ('faults' in checked) throw invalid(checked.faults);
  return checked.value;
}

/** The id of a request; an array (an id given twice), a number or nothing is no id. Throws `INVALID_INPUT`. */
export function requireId(value: unknown): string {
  if (value === undefined || value === '') {
    throw new GatewayError('INVALID_INPUT', 'id is missing', { field: 'id' });
  }
  const checked = checkId(value);
  if ('value' in checked) return checked.value;
  throw new GatewayError(
    'INVALID_INPUT',
    'id must be one text, longer than 5 and shorter than 20 characters',
    {
      field: 'id',
      limit: '6 to 19',
      unit: 'characters',
    },
  );
}

/** All faults of a document as one error whose sentence is the first of them. */
export function invalid(faults: Fault[]): GatewayError {
  const [first] = faults;
  const field = first?.path.slice(1) ?? '';
  const message = first
    ? validationMessage('field', { field: placeOf(field), fault: first.message })
    : 'the body is not valid';
  return new GatewayError('INVALID_INPUT', message, { faults, ...(field ? { field } : {}) });
}

/** `3/rssi` as people say it. */
function placeOf(field: string): string {
  const [, index, rest = ''] = /^(\d+)\/?(.*)$/.exec(field) ?? [];
  if (index === undefined) return field || 'the body';
  return `in entry ${Number(index) + 1} ${rest || 'what is there'}`;
}

function halfPosition(value: unknown): Fault[] {
  if (!isJsonObject(value)) return [];
  const [lat, long] = [value.lat !== undefined, value.long !== undefined];
  if (lat === long) return [];
  return [{ path: lat ? '/long' : '/lat', message: beaconMessage('half-position') }];
}

function completed({ id, description = '', longDescription = '', txPower, lat, long }: BeaconInput): Beacon {
  const beacon: Beacon = { id, description, longDescription };
  if (txPower !== undefined) beacon.txPower = txPower;
  if (lat !== undefined && long !== undefined) {
    beacon.lat = lat;
    beacon.long = long;
  }
  return beacon;
}
