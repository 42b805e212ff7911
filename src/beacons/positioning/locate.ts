import type { LatLong } from '../../plan/pure.js';
import { checkerFor, invalidInput } from '../../shared/validation/validate.js';
import { type Beacon, type BeaconSighting, sightingsSchema } from '../registry/schema.js';
import { type Anchor, fixPosition, type NoFix } from './fix.js';
import type { Observation, Position } from './observation.js';
import type { PathLoss } from './ranging.js';
import { estimateDistance, type RangedBeacon, round } from './received-beacons.js';

/** Only the nearest beacons are used, because more distant ones hardly improve the position. */
const MAX_ANCHORS = 32;
/** Maximum residual that fading can cause, in standard deviations. */
const MAX_FADING_SIGMAS = 3;

const MESSAGES: Record<NoFix['reason'], string> = {
  'too-few': 'a position requires at least three beacons at different known positions',
  'in-line': 'the beacons are on a straight line; the receiver may be on either side of it',
  'far-apart':
    'these beacons are too far apart to be received together; at least one registered position is wrong',
};

const check = checkerFor<BeaconSighting[]>(sightingsSchema);

/**
 * Estimates the distance of each received beacon and, if at least three of them have known positions, the receiver's
 * position. `body`: array of `{id, rssi, txPowerAt?}`; an RSSI of 0 or 127 means "not available". Throws
 * `INVALID_INPUT`.
 */
export function observe(
  body: unknown,
  find: (id: string) => Beacon | undefined,
  pathLoss: PathLoss,
): Observation {
  const groups = [...byId(readSightings(body), (id) => find(id)?.id ?? id.trim())];
  const inputs = groups.map(([id, sightings]) => estimateDistance(id, sightings, find(id), pathLoss));
  inputs.sort((a, b) => (a.beacon.distanceM ?? Infinity) - (b.beacon.distanceM ?? Infinity));
  const located = locate(inputs, pathLoss.exponent);
  return { beacons: inputs.map(({ beacon }) => beacon), ...located };
}

function readSightings(body: unknown): BeaconSighting[] {
  const checked = check(body);
  if ('faults' in checked) throw invalidInput(checked.faults, entryOf);
  const faults = checked.value.flatMap(({ rssi }, at) =>
    rssi > 20 && rssi !== 127
      ? [{ path: `/${at}/rssi`, message: 'must be between -127 and 20 dBm, or 127 for "not available"' }]
      : [],
  );
  if (faults.length > 0) throw invalidInput(faults, entryOf);
  return checked.value;
}

/** Returns the subject of a fault in a list, such as `rssi of entry 4` for `3/rssi`. */
function entryOf(field: string): string {
  if (field === '') return '';
  const [index, ...names] = field.split('/');
  const entry = `entry ${Number(index) + 1}`;
  return names.length > 0 ? `${names.join('/')} of ${entry}` : entry;
}

function byId(
  sightings: readonly BeaconSighting[],
  idOf: (id: string) => string,
): Map<string, BeaconSighting[]> {
  const groups = new Map<string, BeaconSighting[]>();
  for (const sighting of sightings) {
    const id = idOf(sighting.id);
    const group = groups.get(id);
    if (group) group.push(sighting);
    else groups.set(id, [sighting]);
  }
  return groups;
}

function locate(inputs: readonly RangedBeacon[], exponent: number): Omit<Observation, 'beacons'> {
  const used = inputs.filter(hasAnchor).slice(0, MAX_ANCHORS);
  const anchors = used.map(({ anchor }) => anchor);
  const fix = fixPosition(anchors, exponent);
  if ('reason' in fix) {
    const { reason } = fix;
    const candidates = fix.candidates.map(rounded);
    return {
      position: null,
      reason,
      message: MESSAGES[reason],
      ...(candidates.length ? { candidates } : {}),
    };
  }
  used.forEach(({ beacon }, at) => {
    const sigmas = fix.residuals[at]?.sigmas ?? 0;
    if (Math.abs(sigmas) <= MAX_FADING_SIGMAS) return;
    beacon.warning = `the received signal strength does not match the registered position (${round(sigmas, 1)} standard deviations); check lat and long`;
  });
  const { semiMajorM, semiMinorM, bearingDeg, probability } = fix.ellipse;
  const axes = { semiMajorM: round(semiMajorM, 2), semiMinorM: round(semiMinorM, 2) };
  const position: Position = {
    ...rounded(fix),
    ellipse: { ...axes, bearingDeg: round(bearingDeg, 1), probability },
    beacons: used.length,
  };
  if (fix.alternative) position.alternative = rounded(fix.alternative);
  return { position };
}

function hasAnchor(input: RangedBeacon): input is RangedBeacon & { anchor: Anchor } {
  return input.anchor !== undefined;
}

/** Seven decimal places correspond to about 1 cm. */
function rounded({ lat, long }: LatLong): LatLong {
  return { lat: round(lat, 7), long: round(long, 7) };
}
