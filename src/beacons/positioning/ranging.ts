/**
 * Log-distance path loss model, `d = 10^((P1 - RSSI) / (10 n))`: P1 is the received power at 1 m, and fading
 * is normally distributed in dB. iBeacon and AltBeacon calibrate txPower at 1 m; Eddystone-UID defines
 * txPower at 0 m, where the power is 41 dB higher ("Tx Power", github.com/google/eddystone). The zones are
 * those of Apple's Core Location.
 */

/** The distance that txPower is specified for: 1 m for iBeacon and AltBeacon, 0 m for Eddystone. */
export type PowerAt = '0m' | '1m';

/** Signal loss over the first metre, from the Eddystone specification. */
const FIRST_METRE_DB = 41;
/** Standard deviation of fading for a moving receiver. */
export const FADING_DB = 6;
/** Smaller distances are meaningless, because the antennas are about this large. */
const MIN_DISTANCE_M = 0.1;

export interface PathLoss {
  /** The exponent n: 2 outdoors, 2.5 to 3.5 indoors. */
  exponent: number;
  maxRangeM: number;
}

export type Zone = 'immediate' | 'near' | 'far';

interface Distance {
  distanceM: number;
  /** Lower and upper distance at one standard deviation of fading (6 dB). */
  minM: number;
  maxM: number;
  /** Probability (0 to 1) that the true distance is within a factor of two of `distanceM`. */
  confidence: number;
  zone: Zone;
}

/** Radios use 0 and 127 for "not available". */
export function isRssi(rssiDbm: number): boolean {
  return Number.isFinite(rssiDbm) && rssiDbm !== 0 && rssiDbm >= -127 && rssiDbm <= 20;
}

/** Returns the distance in metres according to the model, not limited to the valid range. */
export function pathLossM(
  rssiDbm: number,
  txPowerDbm: number,
  exponent: number,
  powerAt: PowerAt = '1m',
): number {
  const atOneMetreDbm = powerAt === '0m' ? txPowerDbm - FIRST_METRE_DB : txPowerDbm;
  return 10 ** ((atOneMetreDbm - rssiDbm) / (10 * exponent));
}

/** Limits the distance to between 0.1 m and the maximum range. Returns null if the strength is invalid. */
export function distanceOf(
  rssiDbm: number,
  txPowerDbm: number,
  { exponent, maxRangeM }: PathLoss,
  powerAt: PowerAt = '1m',
): Distance | null {
  if (!isRssi(rssiDbm)) return null;
  const rawM = pathLossM(rssiDbm, txPowerDbm, exponent, powerAt);
  const spread = 10 ** (FADING_DB / (10 * exponent));
  const clamp = (metres: number): number => Math.min(maxRangeM, Math.max(MIN_DISTANCE_M, metres));
  const distanceM = clamp(rawM);
  return {
    distanceM,
    minM: clamp(rawM / spread),
    maxM: clamp(rawM * spread),
    confidence: withinFactorTwo(distanceM / rawM, Math.log(spread)),
    zone: zoneOf(distanceM),
  };
}

export function zoneOf(distanceM: number): Zone {
  if (distanceM < 0.5) return 'immediate';
  return distanceM < 3 ? 'near' : 'far';
}

/**
 * The true distance is log-normally distributed around the computed distance. `clampRatio` is the clamped
 * distance divided by the computed distance; the confidence is highest at a ratio of 1.
 */
function withinFactorTwo(clampRatio: number, sigmaLog: number): number {
  const high = normalCdf((Math.log(clampRatio) + Math.LN2) / sigmaLog);
  const low = normalCdf((Math.log(clampRatio) - Math.LN2) / sigmaLog);
  return Math.round((high - low) * 100) / 100;
}

/** Abramowitz & Stegun 26.2.17, with an approximation error below 7.5e-8. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const poly =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return z >= 0 ? 1 - tail : tail;
}
