import type { Beacon } from './schema.js';

/** A beacon as sent to the writer: JSON to store and return, and values to index. */
export interface StoredBeacon {
  id: string;
  json: string;
  /** In degrees; `lat` and `long` are either both set or both null. */
  lat: number | null;
  long: number | null;
}

export function toStored(beacon: Beacon): StoredBeacon {
  const { id, lat = null, long = null } = beacon;
  return { id, json: JSON.stringify(beacon), lat, long };
}

/** Stored JSON was validated before it was stored, so it is not validated again. */
export function fromStored(json: string): Beacon {
  return JSON.parse(json) as Beacon;
}
