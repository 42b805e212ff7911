import { checkerFor } from '../../shared/validation/validate.js';
import { invalid } from '../registry/check.js';
import { type Beacon, type Sighting, sightingsSchema } from '../registry/schema.js';
import { type Anchor, fixPosition, type NoFix } from './fix.js';
import type { LatLong } from './geodesy.js';
import type { Observation, Position } from './observation.js';
import type { PathLoss } from './ranging.js';
import { estimateDistance, type RangingInput, round } from './ranging-input.js';

/** The nearest so many tell where the receiver is; what those farther away would add is less than their cost. */
const MAX_ANCHORS = 32;
/** A residual beyond this many standard deviations is no fading. */
const DOUBTFUL_SIGMAS = 3;

const WHY: Record<NoFix['reason'], string> = {
  'too-few': 'a position needs three beacons at three known places',
  'in-line': 'the beacons are in one line, and the receiver may be on either side of it',
  'far-apart': 'nobody can hear these beacons at once: a position in the registry is wrong',
};

const check = checkerFor<Sighting[]>(sightingsSchema);

/**
 * Distances of the beacons that a receiver heard and, with three or more at known places, its position. `body` is an array
 * of `{id, rssi, txPowerAt?}`; a strength of 0 or 127 means that there was none. Throws `INVALID_INPUT`.
 */
export function observe(
  body: unknown,
  find: (id: string) => Beacon | undefined,
  pathLoss: PathLoss,
): Observation {
  const groups = [...byId(readSightings(body))];
  const hearings = groups.map(([id, sightings]) => estimateDistance(id, sightings, find(id), pathLoss));
  hearings.sort((a, b) => (a.heard.distanceM ?? Infinity) - (b.heard.distanceM ?? Infinity));
  const located = locate(hearings, pathLoss.exponent);
  return { beacons: hearings.map(({ heard }) => heard), ...located };
}

function readSightings(body: unknown): Sighting[] {
  const checked = check(body);
  if ('faults' in checked) throw invalid(checked.faults);
  const faults = checked.value.flatMap(({ rssi }, at) =>
    rssi > 20 && rssi !== 127
      ? [{ path: `/${at}/rssi`, message: 'must be from -127 to 20 dBm, or 127 for "not available"' }]
      : [],
  );
  if (faults.length > 0) throw invalid(faults);
  return checked.value;
}

function byId(sightings: readonly Sighting[]): Map<string, Sighting[]> {
  const groups = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    const group = groups.get(sighting.id);
    if (group) group.push(sighting);
    else groups.set(sighting.id, [sighting]);
  }
  return groups;
}

function locate(hearings: readonly RangingInput[], exponent: number): Omit<Observation, 'beacons'> {
  const used = hearings.filter(isPlaced).slice(0, MAX_ANCHORS);
  const anchors = used.map(({ anchor }) => anchor);
  const fix = fixPosition(anchors, exponent);
  if ('reason' in fix) {
    const { reason } = fix;
    const candidates = fix.candidates.map(shown);
    return { position: null, reason, message: WHY[reason], ...(candidates.length ? { candidates } : {}) };
  }
  used.forEach(({ heard }, at) => {
    const sigmas = fix.residuals[at]?.sigmas ?? 0;
    if (Math.abs(sigmas) <= DOUBTFUL_SIGMAS) return;
    heard.warning = `heard as no beacon at its place would be (${round(sigmas, 1)} standard deviations): check its lat and long`;
  });
  const { semiMajorM, semiMinorM, bearingDeg, probability } = fix.ellipse;
  const axes = { semiMajorM: round(semiMajorM, 2), semiMinorM: round(semiMinorM, 2) };
  const position: Position = {
    ...shown(fix),
    ellipse: { ...axes, bearingDeg: round(bearingDeg, 1), probability },
    beacons: used.length,
  };
  if (fix.alternative) position.alternative = shown(fix.alternative);
  return { position };
}

function isPlaced(hearing: RangingInput): hearing is RangingInput & { anchor: Anchor } {
  return hearing.anchor !== undefined;
}

/** Seven decimals are a centimetre. */
function shown({ lat, long }: LatLong): LatLong {
  return { lat: round(lat, 7), long: round(long, 7) };
}
