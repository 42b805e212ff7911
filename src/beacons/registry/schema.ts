import type { FromSchema } from 'json-schema-to-ts';

/** Text that UTF-8 can hold: half of a surrogate pair would come back from the database as another character. */
const wellFormed = '^\\P{Cs}*$';

/** Longer than 5 and shorter than 20, in code points: an emoji is one character. */
export const beaconIdSchema = {
  type: 'string',
  minLength: 6,
  maxLength: 19,
  pattern: wellFormed,
} as const;

/** A beacon as it is sent; only the id is required. lat and long go together. */
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

/** A beacon as it is kept and answered; what is not known is left out. WGS 84 degrees. */
export interface Beacon {
  id: string;
  description: string;
  longDescription: string;
  /** dBm, measured at 1 m (iBeacon, AltBeacon) or at 0 m (Eddystone): the registry does not know which. */
  txPower?: number;
  lat?: number;
  long?: number;
}

/** The members of a beacon, in the order of every answer and of the columns of CSV. */
export const BEACON_FIELDS = ['id', 'description', 'longDescription', 'txPower', 'lat', 'long'] as const;

/** What a receiver heard, once. The same id may come several times. */
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

export type Sighting = FromSchema<typeof sightingsSchema>[number];
