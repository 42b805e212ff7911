import {
  json,
  jsonBody,
  listOf,
  number,
  oneOf,
  orNull,
  record,
  ref,
  text,
  whole,
} from '../../web/openapi/parts.js';
import type { Api, Schema } from '../../web/openapi/types.js';
import { MAX_IMPORT } from '../formats/import.js';
import type { Heard, Observation, Position } from '../positioning/observation.js';
import { type Beacon, beaconIdSchema, beaconInputSchema, sightingsSchema } from '../registry/schema.js';
import type { ImportCounts } from '../registry/writes.js';

const { txPower, lat, long } = beaconInputSchema.properties;
const degrees = { lat, long };

const beaconSchema = record<Beacon>(
  { id: beaconIdSchema, description: text, longDescription: text },
  { txPower, lat, long },
);

const heard = record<Heard>(
  {
    id: text,
    samples: whole,
    rssi: orNull({ ...number, unit: 'dBm' }),
    distanceM: orNull({ ...number, unit: 'm' }),
    minM: orNull({ ...number, unit: 'm' }),
    maxM: orNull({ ...number, unit: 'm' }),
    confidence: { ...number, minimum: 0, maximum: 1 },
    zone: oneOf(['immediate', 'near', 'far', 'unknown']),
  },
  { reason: oneOf(['unknown-beacon', 'no-signal', 'no-tx-power']), warning: text },
);

const place = record<{ lat: number; long: number }>(degrees);
const ellipse = record<Position['ellipse']>({
  semiMajorM: { ...number, unit: 'm' },
  semiMinorM: { ...number, unit: 'm' },
  bearingDeg: { ...number, unit: 'degrees' },
  probability: number,
});

const observation = record<Observation>(
  {
    beacons: listOf(heard),
    position: orNull(record<Position>({ ...degrees, ellipse, beacons: whole }, { alternative: place })),
  },
  { reason: oneOf(['too-few', 'in-line', 'far-apart']), message: text, candidates: listOf(place) },
);

/** The same where other members stand beside it. */
export const treeObservation: Schema = {
  type: 'object',
  required: observation.required,
  properties: observation.properties,
};

const BEACON: Beacon = {
  id: 'dock-north-1',
  description: 'North dock',
  longDescription: 'On the pillar beside the door',
  txPower: -59,
  lat: 52.3702,
  long: 4.8952,
};
const id = { id: { description: 'Of the beacon; here or in a JSON body', schema: beaconIdSchema } };
const idBody = {
  ...jsonBody({ type: 'object', properties: { id: beaconIdSchema } }, { id: BEACON.id }),
  required: false,
};
const upsert = { upsert: { description: 'Replace what has the same id', schema: oneOf(['true', 'false']) } };
const beacons = listOf(ref('Beacon'));

export const beaconApi: Api = {
  tag: { name: 'Beacons', description: 'Short-range transmitters and where they stand.' },
  schemas: { Beacon: beaconSchema, Observation: observation },
  routes: {
    'GET /beacon': {
      summary: 'One beacon',
      query: id,
      body: idBody,
      answers: { 200: json('The beacon', ref('Beacon'), BEACON) },
      failures: [400, 404],
    },
    'GET /beacons': {
      summary: 'All beacons, or some of them',
      description: 'At most one of `near`, `bbox` and `after` can be asked for.',
      query: {
        near: { description: 'Nearest first, from `lat,long` in degrees; `limit` up to 100' },
        bbox: { description: '`west,south,east,north` in degrees, as in RFC 7946' },
        after: { description: 'In the order of their ids, after this one; `limit` up to 1000' },
        limit: { description: 'How many', schema: { ...whole, minimum: 1, maximum: 1000 } },
      },
      headers: { 'If-None-Match': { description: 'The `ETag` of a list that you have' } },
      answers: {
        200: {
          description: 'The beacons',
          headers: { etag: { description: 'Changes with the list', schema: text } },
          content: {
            'application/json': { schema: beacons, example: [BEACON] },
            'application/geo+json': { schema: { type: 'object', required: ['type', 'features'] } },
            'text/csv': { schema: text },
          },
        },
        304: { description: 'The list that you have is the newest' },
      },
      failures: [400],
    },
    'POST /beacon': {
      summary: 'Adds a beacon',
      description: 'The same beacon again is no fault.',
      query: upsert,
      body: jsonBody(beaconInputSchema, BEACON),
      answers: { 200: json('The beacon as it is kept', ref('Beacon'), BEACON) },
      failures: [409, 503],
    },
    'PUT /beacon/:id': {
      summary: 'Adds or replaces the beacon of this id',
      path: { id: { description: 'Of the beacon', schema: beaconIdSchema } },
      body: jsonBody({ ...beaconInputSchema, required: [] }, BEACON),
      answers: { 200: json('The beacon as it is kept', ref('Beacon'), BEACON) },
      failures: [503],
    },
    'DELETE /beacon': {
      summary: 'Deletes a beacon',
      query: id,
      body: idBody,
      answers: { 200: json('The beacon as it was', ref('Beacon'), BEACON) },
      failures: [400, 404, 503],
    },
    'POST /beacons/import': {
      summary: `Up to ${MAX_IMPORT} beacons at once: all or none`,
      query: upsert,
      body: {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'array', maxItems: MAX_IMPORT, items: beaconInputSchema },
            example: [BEACON],
          },
          'application/geo+json': { schema: { type: 'object', required: ['type', 'features'] } },
          'text/csv': { schema: text },
        },
      },
      answers: {
        200: json('How many', record<ImportCounts>({ created: whole, replaced: whole, unchanged: whole }), {
          ...{ created: 1, replaced: 0, unchanged: 0 },
        }),
      },
      failures: [409, 503],
    },
    'POST /beacons/observed': {
      summary: 'What a receiver hears: distances, and a position from three beacons on',
      body: jsonBody(sightingsSchema, [{ id: BEACON.id, rssi: -67 }]),
      answers: { 200: json('Nearest first', ref('Observation')) },
    },
  },
};
