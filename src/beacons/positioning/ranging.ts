/**
 * Distance from signal strength. Pure: numbers in, numbers out.
 * Model: log-distance path loss, `d = 10^((P1 - RSSI) / (10 n))` with P1 = received power at 1 m, and fading that is
 * normal in dB. Sources: iBeacon and AltBeacon calibrate txPower at 1 m; the Eddystone-UID specification gives it at 0 m,
 * 41 dB more ("Tx Power", github.com/google/eddystone); the zones are those of Apple's Core Location.
 */

/** Where a transmitter's txPower was measured: iBeacon and AltBeacon at 1 m, Eddystone at 0 m. */
export type PowerAt = '0m' | '1m';

/** What an Eddystone beacon loses over its first metre, in dB. */
const FIRST_METRE_DB = 41;
/** One standard deviation of the fading that a moving receiver sees, in dB. */
export const FADING_DB = 6;
/** Below this a distance means nothing: the antennas themselves are that large. */
const NEAREST_M = 0.1;

export interface PathLoss {
  /** n: 2 in the open, 2.5 to 3.5 indoors. */
  exponent: number;
  /** Distances end here. */
  maxRangeM: number;
}

export type Zone = 'immediate' | 'near' | 'far';

/** A distance with what is known about its error. */
interface Distance {
  distanceM: number;
  /** One standard deviation of fading (6 dB) nearer. */
  minM: number;
  /** The same farther. */
  maxM: number;
  /** Probability, 0 to 1, that the true distance is within a factor of two of `distanceM`. */
  confidence: number;
  zone: Zone;
}

/** Whether a received strength is one: 0 and 127 are how radios say "not available". */
export function isRssi(rssiDbm: number): boolean {
  return Number.isFinite(rssiDbm) && rssiDbm !== 0 && rssiDbm >= -127 && rssiDbm <= 20;
}

/** The distance in metres where the mean strength is `rssiDbm`: no limits, no fading. */
export function pathLossM(
  rssiDbm: number,
  txPowerDbm: number,
  exponent: number,
  powerAt: PowerAt = '1m',
): number {
  const atOneMetreDbm = powerAt === '0m' ? txPowerDbm - FIRST_METRE_DB : txPowerDbm;
  return 10 ** ((atOneMetreDbm - rssiDbm) / (10 * exponent));
}

/** The distance to a beacon, held between 0.1 m and the longest range; null when there is no strength to compute it from. */
export function distanceOf(
  rssiDbm: number,
  txPowerDbm: number,
  { exponent, maxRangeM }: PathLoss,
  powerAt: PowerAt = '1m',
): Distance | null {
  if (!isRssi(rssiDbm)) return null;
  const rawM = pathLossM(rssiDbm, txPowerDbm, exponent, powerAt);
  const spread = 10 ** (FADING_DB / (10 * exponent));
  const held = (metres: number): number => Math.min(maxRangeM, Math.max(NEAREST_M, metres));
  const distanceM = held(rawM);
  return {
    distanceM,
    minM: held(rawM / spread),
    maxM: held(rawM * spread),
    confidence: withinFactorTwo(distanceM / rawM, Math.log(spread)),
    zone: zoneOf(distanceM),
  };
}

/** The iBeacon zone of a distance: immediate below 0.5 m, near below 3 m, else far. */
export function zoneOf(distanceM: number): Zone {
  if (distanceM < 0.5) return 'immediate';
  return distanceM < 3 ? 'near' : 'far';
}

/**
 * The true distance is log-normal around the computed one; a distance that was held at a limit is `held` times that,
 * and is worth the less the farther it was moved.
 */
function withinFactorTwo(held: number, sigmaLog: number): number {
  const high = normalBelow((Math.log(held) + Math.LN2) / sigmaLog);
  const low = normalBelow((Math.log(held) - Math.LN2) / sigmaLog);
  return Math.round((high - low) * 100) / 100;
}

/** Cumulative normal distribution: Abramowitz & Stegun 26.2.17, error below 7.5e-8. */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const poly =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return z >= 0 ? 1 - tail : tail;
}
