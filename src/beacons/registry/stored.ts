import type { Beacon } from './schema.js';

/** A beacon as sent to the writer: the JSON that is stored and returned, and the indexed values. */
export interface StoredBeacon {
  id: string;
  json: string;
  /** Degrees; both or neither. */
  lat: number | null;
  long: number | null;
}

export function toStored(beacon: Beacon): StoredBeacon {
  const { id, lat = null, long = null } = beacon;
  return { id, json: JSON.stringify(beacon), lat, long };
}

/** Parses stored JSON, which was validated before it was stored. */
export function fromStored(json: string): Beacon {
  return JSON.parse(json) as Beacon;
}
