import type { FromSchema } from 'json-schema-to-ts';

/** Excludes unpaired surrogates, which UTF-8 cannot encode. */
const wellFormed = '^\\P{Cs}*$';

export const beaconIdSchema = {
  type: 'string',
  minLength: 6,
  maxLength: 19,
  pattern: wellFormed,
} as const;

/** Only the ID is required; `lat` and `long` must be given together. */
export const beaconInputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: beaconIdSchema,
    description: { type: 'string', maxLength: 1000, pattern: wellFormed },
    longDescription: { type: 'string', maxLength: 10_000, pattern: wellFormed },
    txPower: { type: 'integer', minimum: -100, maximum: 20, unit: 'dBm' },
    lat: { type: 'number', minimum: -90, maximum: 90, unit: 'degrees' },
    long: { type: 'number', minimum: -180, maximum: 180, unit: 'degrees' },
  },
} as const;

export type BeaconInput = FromSchema<typeof beaconInputSchema>;

/** Unknown values are omitted; coordinates are WGS 84 degrees. */
export interface Beacon {
  id: string;
  description: string;
  longDescription: string;
  /** Received power in dBm at 1 m (iBeacon, AltBeacon) or 0 m (Eddystone); the registry does not store the distance. */
  txPower?: number;
  lat?: number;
  long?: number;
}

export const BEACON_FIELDS = ['id', 'description', 'longDescription', 'txPower', 'lat', 'long'] as const;

/** A beacon as sent to the writer: JSON to store and return, and values to index. */
export interface StoredBeacon {
  id: string;
  json: string;
  /** Position in degrees; `lat` and `long` are either both set or both null. */
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

/** An ID can occur more than once. */
export const sightingsSchema = {
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'rssi'],
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 100 },
      rssi: { type: 'number', minimum: -127, maximum: 127, unit: 'dBm' },
      txPowerAt: { type: 'string', enum: ['0m', '1m'] },
    },
  },
} as const;

export type BeaconSighting = FromSchema<typeof sightingsSchema>[number];
