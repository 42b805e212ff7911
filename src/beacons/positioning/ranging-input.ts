import type { Beacon, Sighting } from '../registry/schema.js';
import { medianOf, RssiFilter } from './filter.js';
import type { Anchor } from './fix.js';
import type { Heard } from './observation.js';
import { distanceOf, isRssi, type PathLoss, type PowerAt, pathLossM } from './ranging.js';

/** What was heard of a beacon, and what that says about the receiver's place when the beacon's own is known. */
export interface RangingInput {
  heard: Heard;
  anchor?: Anchor;
}

/** So many samples are worth smoothing. */
const SMOOTH_FROM = 5;
/** Calibrated at 1 m no beacon is this strong; at 0 m, as Eddystone has it, many are. */
const STRONG_AT_1M_DBM = -30;

/** What the sightings of one id, in the order of time, say; `beacon` is the one registered, if any. */
export function estimateDistance(
  id: string,
  sightings: readonly Sighting[],
  beacon: Beacon | undefined,
  pathLoss: PathLoss,
): RangingInput {
  const strengths = sightings.map(({ rssi }) => rssi).filter(isRssi);
  const rssi = summaryOf(strengths);
  const txPowerAt = sightings.find((sighting) => sighting.txPowerAt !== undefined)?.txPowerAt ?? '1m';
  const common = { id, samples: strengths.length, rssi: rssi === undefined ? null : round(rssi, 1) };
  const without = (reason: NonNullable<Heard['reason']>): RangingInput => ({
    heard: { ...common, distanceM: null, minM: null, maxM: null, confidence: 0, zone: 'unknown', reason },
  });
  if (!beacon) return without('unknown-beacon');
  if (rssi === undefined) return without('no-signal');
  const { txPower } = beacon;
  const distance = txPower === undefined ? null : distanceOf(rssi, txPower, pathLoss, txPowerAt);
  if (txPower === undefined || distance === null) return without('no-tx-power');
  const { distanceM, minM, maxM, confidence, zone } = distance;
  const metres = { distanceM: round(distanceM, 2), minM: round(minM, 2), maxM: round(maxM, 2) };
  const warning = warningOf(txPower, txPowerAt);
  const heard = { ...common, ...metres, confidence, zone, ...(warning ? { warning } : {}) };
  const { lat, long } = beacon;
  if (lat === undefined || long === undefined) return { heard };
  // Not held at the longest range: for a position a distance that is too short is worse than a vague one.
  const rawM = Math.max(distanceM, pathLossM(rssi, txPower, pathLoss.exponent, txPowerAt));
  return { heard, anchor: { lat, long, distanceM: rawM } };
}

function summaryOf(strengths: readonly number[]): number | undefined {
  if (strengths.length < SMOOTH_FROM) return medianOf(strengths);
  const filter = new RssiFilter();
  for (const rssi of strengths) filter.add(rssi);
  return filter.value;
}

function warningOf(txPower: number, at: PowerAt): string | undefined {
  if (at === '0m' || txPower <= STRONG_AT_1M_DBM) return undefined;
  return `a txPower of ${txPower} dBm is unlikely at 1 m; for an Eddystone beacon send "txPowerAt": "0m"`;
}

/** A figure without digits that mean nothing. */
export function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
