import type { Beacon, BeaconSighting } from '../registry/schema.js';
import { medianOf, RssiFilter } from './filter.js';
import type { Anchor } from './fix.js';
import type { ReceivedBeacon } from './observation.js';
import { distanceOf, isRssi, type PathLoss, type PowerAt, pathLossM } from './ranging.js';

/** `anchor` is set if the beacon's distance and position are known. */
export interface RangedBeacon {
  beacon: ReceivedBeacon;
  anchor?: Anchor;
}

const SMOOTH_FROM = 5;
/** No beacon reaches this power at 1 m; many reach it at 0 m (Eddystone). */
const MAX_POWER_AT_1M_DBM = -30;

/**
 * Estimates the distance of a beacon. The sightings are in chronological order; `beacon` is the registered beacon, if
 * any.
 */
export function estimateDistance(
  id: string,
  sightings: readonly BeaconSighting[],
  beacon: Beacon | undefined,
  pathLoss: PathLoss,
): RangedBeacon {
  const strengths = sightings.map(({ rssi }) => rssi).filter(isRssi);
  const rssi = summaryOf(strengths);
  const txPowerAt = sightings.find((sighting) => sighting.txPowerAt !== undefined)?.txPowerAt ?? '1m';
  const common = { id, samples: strengths.length, rssi: rssi === undefined ? null : round(rssi, 1) };
  const withoutDistance = (reason: NonNullable<ReceivedBeacon['reason']>): RangedBeacon => ({
    beacon: { ...common, distanceM: null, minM: null, maxM: null, confidence: 0, zone: 'unknown', reason },
  });
  if (!beacon) return withoutDistance('unknown-beacon');
  if (rssi === undefined) return withoutDistance('no-signal');
  const { txPower } = beacon;
  const distance = txPower === undefined ? null : distanceOf(rssi, txPower, pathLoss, txPowerAt);
  if (txPower === undefined || distance === null) return withoutDistance('no-tx-power');
  const { distanceM, minM, maxM, confidence, zone } = distance;
  const metres = { distanceM: round(distanceM, 2), minM: round(minM, 2), maxM: round(maxM, 2) };
  const warning = warningOf(txPower, txPowerAt);
  const received = { ...common, ...metres, confidence, zone, ...(warning ? { warning } : {}) };
  const { lat, long } = beacon;
  if (lat === undefined || long === undefined) return { beacon: received };
  // The distance is not limited to the maximum range, because an underestimate would distort the position more than an
  // imprecise distance does.
  const rawM = Math.max(distanceM, pathLossM(rssi, txPower, pathLoss.exponent, txPowerAt));
  return { beacon: received, anchor: { lat, long, distanceM: rawM } };
}

function summaryOf(strengths: readonly number[]): number | undefined {
  if (strengths.length < SMOOTH_FROM) return medianOf(strengths);
  const filter = new RssiFilter();
  for (const rssi of strengths) filter.add(rssi);
  return filter.value;
}

function warningOf(txPower: number, at: PowerAt): string | undefined {
  if (at === '0m' || txPower <= MAX_POWER_AT_1M_DBM) return undefined;
  return `a txPower of ${txPower} dBm is unlikely at 1 m; for an Eddystone beacon, send "txPowerAt": "0m"`;
}

export function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
