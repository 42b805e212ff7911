import type { Beacon } from './schema.js';

/** A beacon as sent to the writer: JSON to store and return, and values to index. */
export interface StoredBeacon {
  id: string;
  json: string;
  /** In degrees. Either both are set or neither is. */
  lat: number | null;
  long: number | null;
}

export function toStored(beacon: Beacon): StoredBeacon {
  const { id, lat = null, long = null } = beacon;
  return { id, json: JSON.stringify(beacon), lat, long };
}

/** Stored JSON is not validated again, because it was validated before it was stored. */
export function fromStored(json: string): Beacon {
  return JSON.parse(json) as Beacon;
}
