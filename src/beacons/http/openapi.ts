import * as t from '../../http/openapi/schema-helpers.js';
import { CSV_FORMAT } from '../../http/server/csv-format.js';
import { OPENED } from '../../http/server/form-edits.js';
import { MAX_IMPORT } from '../formats/import.js';
import type { Observation, Position, ReceivedBeacon } from '../positioning/observation.js';
import { POSITION_FIELDS } from '../registry/form.js';
import { type Beacon, beaconIdSchema, beaconInputSchema, sightingsSchema } from '../registry/schema.js';
import type { ImportCounts } from '../registry/writes.js';

/** No operator rights are required: an observation only requests a position and stores nothing. */
const observe = t.access({ need: 'session', scopes: ['beacons:write'] });
const write = t.access({ need: 'operator', scopes: ['beacons:write'] });

const { txPower, lat, long } = beaconInputSchema.properties;
const latLong = t.record<{ lat: number; long: number }>({ lat, long });

const beaconSchema = t.record<Beacon>(
  { id: beaconIdSchema, ...t.each(t.text, 'description', 'longDescription') },
  { txPower, lat, long },
);

const metres = { ...t.number, unit: 'm' };
const receivedBeacon = t.record<ReceivedBeacon>(
  {
    id: t.text,
    samples: t.whole,
    rssi: t.orNull({ ...t.number, unit: 'dBm' }),
    ...t.each(t.orNull(metres), 'distanceM', 'minM', 'maxM'),
    confidence: { ...t.number, minimum: 0, maximum: 1 },
    zone: t.oneOf(['immediate', 'near', 'far', 'unknown']),
  },
  { reason: t.oneOf(['unknown-beacon', 'no-signal', 'no-tx-power']), warning: t.text },
);
const ellipse = t.record<Position['ellipse']>({
  ...t.each(metres, 'semiMajorM', 'semiMinorM'),
  bearingDeg: { ...t.number, unit: 'degrees' },
  probability: t.number,
});
const position = t.record<Position>({ lat, long, ellipse, beacons: t.whole }, { alternative: latLong });
const observation = t.record<Observation>(
  { beacons: t.listOf(receivedBeacon), position: t.orNull(position) },
  {
    reason: t.oneOf(['too-few', 'in-line', 'far-apart']),
    message: t.text,
    candidates: t.listOf(latLong),
  },
);

/** An observation in an MQTT message has additional members. */
export const mqttObservation = t.open(observation.required, observation.properties);

const BEACON: Beacon = {
  id: 'dock-north-1',
  description: 'North dock',
  longDescription: 'On the pillar next to the door',
  txPower: -59,
  lat: 52.3702,
  long: 4.8952,
};
/** Maximum size of a beacon: enough for the longest strings with every character escaped. */
const BEACON_KIB = 160;
const byId = {
  query: {
    id: {
      ...beaconIdSchema,
      description: 'Beacon ID; can also be sent in a JSON body. Leading and trailing spaces are removed',
    },
  },
  body: { ...t.jsonBody(t.open([], { id: beaconIdSchema }), { id: BEACON.id }, BEACON_KIB), required: false },
  ok: t.jsonOf('Beacon', BEACON),
  fails: [400, 404],
};
const upsert = {
  upsert: {
    ...t.oneOf(['true', 'false']),
    description: 'If `true`, replaces an existing beacon with the same ID',
  },
};
const geoJson = { 'application/geo+json': { schema: { type: 'object', required: ['type', 'features'] } } };
const csv = { 'text/csv': { schema: t.text } };

const beaconChapter = {
  name: 'Beacons',
  description: 'Short-range transmitters and their positions.',
  schemas: { Beacon: beaconSchema, Observation: observation },
};
export const beaconApi = t.api(beaconChapter, {
  'GET /beacon': t.access({ need: 'public', cached: true })('Returns a beacon', byId),
  'GET /beacons': t.anyone('Returns all beacons or a selection', {
    description: '`near`, `bbox` and `after` are mutually exclusive.',
    query: {
      near: {
        description:
          'Returns the beacons nearest to `lat,long` (in degrees), nearest first; `limit` is at most 100',
      },
      bbox: {
        description: 'Returns the beacons in the box `west,south,east,north` (in degrees, as in RFC 7946)',
      },
      after: {
        description:
          'Returns the beacons whose IDs sort after this ID, in order of ID; `limit` is at most 1000',
      },
      limit: t.between(1, 1000),
      ...CSV_FORMAT,
    },
    headers: { 'If-None-Match': { description: '`ETag` of the list that the client already has' } },
    ok: {
      headers: { etag: { description: 'Changes whenever the list of beacons changes' } },
      content: { ...t.jsonListOf('Beacon', [BEACON]).content, ...geoJson, ...csv },
    },
    answers: { 304: {} },
    fails: [400],
  }),
  'POST /beacon': write('Adds a beacon', {
    description: 'Adding an identical beacon again succeeds.',
    query: upsert,
    body: t.jsonBody(beaconInputSchema, BEACON, BEACON_KIB),
    ok: t.jsonOf('Beacon', BEACON),
    fails: [409],
  }),
  'PUT /beacon/:id': write('Adds or replaces the beacon with this ID', {
    path: { id: beaconIdSchema },
    body: t.jsonBody({ ...beaconInputSchema, required: [] }, BEACON, BEACON_KIB),
    ok: t.jsonOf('Beacon', BEACON),
    fails: [],
  }),
  'DELETE /beacon': write('Deletes a beacon and returns it', byId),
  'POST /beacons/import': write(`Imports up to ${MAX_IMPORT} beacons, all or none`, {
    query: upsert,
    body: {
      // Limited to 2 MiB, because the main thread parses the JSON in one pass. That takes 15 ms on a desktop computer.
      ...t.jsonBody({}, undefined, 2048),
      content: {
        'application/json': { schema: { ...t.listOf(beaconInputSchema), maxItems: MAX_IMPORT } },
        ...geoJson,
        ...csv,
      },
    },
    ok: t.json(t.record<ImportCounts>(t.each(t.whole, 'created', 'replaced', 'unchanged'))),
    fails: [409],
  }),
  'POST /beacons/observed': observe(
    "Estimates the distances to beacons and, if at least three of them have known positions, the receiver's position",
    {
      body: t.jsonBody(sightingsSchema, [{ id: BEACON.id, rssi: -67 }], 256),
      ok: t.jsonOf('Observation'),
    },
  ),
});

/** Form fields are strings, even if they contain numbers. */
const form = (...names: readonly string[]) =>
  t.pageForm(t.open(['id'], t.each(t.text, ...names)), { id: 'dock-north-1' }, 320);

const mapChapter = {
  name: 'Map',
  description: 'The Map page.',
  schemas: {},
};
export const mapApi = t.api(mapChapter, {
  'GET /map': t.user('Shows the Map page', {
    query: {
      find: { description: 'Shows only beacons whose ID or description contains these words' },
      after: { description: 'Shows only beacons whose IDs sort after this ID' },
      rest: { ...t.oneOf(['1']), description: 'Shows only beacons whose ID does not start with `find`' },
      edit: { description: 'ID of the beacon to edit in the form' },
    },
    ok: t.page,
  }),
  'POST /map': t.operator('Adds or updates a beacon (HTML form)', {
    body: form(...Object.keys(beaconInputSchema.properties), ...POSITION_FIELDS, 'editing', OPENED),
    redirect: 'Saved',
    answers: { 409: t.page, 412: t.page },
  }),
  'POST /map/delete': t.operator('Deletes a beacon (HTML form)', {
    body: form('id'),
    redirect: 'Deleted',
    fails: [404],
  }),
  'GET /map/export/:name': t.user('Exports all beacons as a file', {
    path: { name: t.oneOf(['beacons.csv', 'beacons.json', 'beacons.geojson', 'template.csv']) },
    query: CSV_FORMAT,
    fails: [400, 404],
    ok: {
      content: {
        ...t.jsonListOf('Beacon').content,
        'application/geo+json': { schema: t.object },
        'text/csv': { schema: t.text },
      },
    },
  }),
});
