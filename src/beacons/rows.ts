import type { SqlParams } from '../ports.js';
import type { Beacon } from './schema.js';

/** A beacon as SQLite gives it. */
export interface BeaconRow {
  id: string;
  description: string;
  longDescription: string;
  txPower: number | null;
  lat: number | null;
  long: number | null;
}

/** The columns of a `BeaconRow`, for SELECT and RETURNING. */
export const BEACON_COLUMNS =
  'id, description, long_description AS longDescription, tx_power AS txPower, lat, long';

/** A row as a beacon: what is not known is left out. */
export function toBeacon({ id, description, longDescription, txPower, lat, long }: BeaconRow): Beacon {
  const beacon: Beacon = { id, description, longDescription };
  if (txPower !== null) beacon.txPower = txPower;
  if (lat !== null && long !== null) {
    beacon.lat = lat;
    beacon.long = long;
  }
  return beacon;
}

/** A beacon as the named parameters of a statement. */
export function toParams(beacon: Beacon): SqlParams & BeaconRow {
  const { id, description, longDescription, txPower = null, lat = null, long = null } = beacon;
  return { id, description, longDescription, txPower, lat, long };
}
