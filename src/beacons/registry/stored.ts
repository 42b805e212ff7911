import type { Beacon } from './schema.js';

/** A beacon as it goes to the writer: the JSON that is kept and answered, and what the indexes need of it. */
export interface StoredBeacon {
  id: string;
  json: string;
  /** Degrees; both or neither. */
  lat: number | null;
  long: number | null;
}

/** The beacon as it is kept. */
export function toStored(beacon: Beacon): StoredBeacon {
  const { id, lat = null, long = null } = beacon;
  return { id, json: JSON.stringify(beacon), lat, long };
}

/** The beacon of a text that was kept. Only beacons that were checked are. */
export function fromStored(json: string): Beacon {
  return JSON.parse(json) as Beacon;
}
