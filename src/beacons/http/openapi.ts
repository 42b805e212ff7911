import * as t from '../../web/openapi/parts.js';
import { MAX_PLAN_BYTES } from '../floor-plan/image.js';
import { type PlanView, pointsSchema } from '../floor-plan/schema.js';
import { MAX_IMPORT } from '../formats/import.js';
import type { Heard, Observation, Position } from '../positioning/observation.js';
import { type Beacon, beaconIdSchema, beaconInputSchema, sightingsSchema } from '../registry/schema.js';
import type { ImportCounts } from '../registry/writes.js';

/** Receivers ask for their position; nothing changes. */
const observe = t.access({ need: 'session', scopes: ['beacons:write'] });
const write = t.access({ need: 'operator', scopes: ['beacons:write'] });

const { txPower, lat, long } = beaconInputSchema.properties;
const place = t.record<{ lat: number; long: number }>({ lat, long });

const beaconSchema = t.record<Beacon>(
  { id: beaconIdSchema, ...t.each(t.text, 'description', 'longDescription') },
  { txPower, lat, long },
);

const metres = { ...t.number, unit: 'm' };
const heard = t.record<Heard>(
  {
    ...{ id: t.text, samples: t.whole, rssi: t.orNull({ ...t.number, unit: 'dBm' }) },
    ...t.each(t.orNull(metres), 'distanceM', 'minM', 'maxM'),
    confidence: { ...t.number, minimum: 0, maximum: 1 },
    zone: t.oneOf(['immediate', 'near', 'far', 'unknown']),
  },
  { reason: t.oneOf(['unknown-beacon', 'no-signal', 'no-tx-power']), warning: t.text },
);
const ellipse = t.record<Position['ellipse']>({
  ...t.each(metres, 'semiMajorM', 'semiMinorM'),
  ...{ bearingDeg: { ...t.number, unit: 'degrees' }, probability: t.number },
});
const position = t.record<Position>({ lat, long, ellipse, beacons: t.whole }, { alternative: place });
const observation = t.record<Observation>(
  { beacons: t.listOf(heard), position: t.orNull(position) },
  {
    reason: t.oneOf(['too-few', 'in-line', 'far-apart']),
    ...{ message: t.text, candidates: t.listOf(place) },
  },
);

/** The observation as a part of a message with further members. */
export const treeObservation = t.open(observation.required, observation.properties);

const BEACON: Beacon = {
  ...{ id: 'dock-north-1', description: 'North dock', longDescription: 'On the pillar beside the door' },
  ...{ txPower: -59, lat: 52.3702, long: 4.8952 },
};
/** The longest texts with every character escaped; a whole beacon may be sent where only its id is read. */
const BEACON_KIB = 160;
const byId = {
  query: { id: { ...beaconIdSchema, description: 'Of the beacon; here or in a JSON body' } },
  body: { ...t.jsonBody(t.open([], { id: beaconIdSchema }), { id: BEACON.id }, BEACON_KIB), required: false },
  ok: t.jsonOf('Beacon', BEACON),
  fails: [400, 404],
};
const upsert = { upsert: { ...t.oneOf(['true', 'false']), description: 'Replace what has the same id' } };
const geoJson = { 'application/geo+json': { schema: { type: 'object', required: ['type', 'features'] } } };
const csv = { 'text/csv': { schema: t.text } };

const beaconChapter = {
  name: 'Beacons',
  description: 'Short-range transmitters and their positions.',
  schemas: { Beacon: beaconSchema, Observation: observation },
};
export const beaconApi = t.api(beaconChapter, {
  'GET /beacon': t.anyone('One beacon', byId),
  'GET /beacons': t.anyone('All beacons, or some of them', {
    description: 'At most one of `near`, `bbox` and `after` can be given.',
    query: {
      near: { description: 'Nearest first, from `lat,long` in degrees; `limit` up to 100' },
      bbox: { description: '`west,south,east,north` in degrees, as in RFC 7946' },
      after: { description: 'Sorted by id, after this one; `limit` up to 1000' },
      limit: t.between(1, 1000),
    },
    headers: { 'If-None-Match': { description: 'The `ETag` of the list that the client has' } },
    ok: {
      headers: { etag: { description: 'Changes with the list' } },
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
  'PUT /beacon/:id': write('Adds or replaces the beacon of this id', {
    path: { id: beaconIdSchema },
    body: t.jsonBody({ ...beaconInputSchema, required: [] }, BEACON, BEACON_KIB),
    ok: t.jsonOf('Beacon', BEACON),
    fails: [],
  }),
  'DELETE /beacon': write('Deletes a beacon, and returns it', byId),
  'POST /beacons/import': write(`Up to ${MAX_IMPORT} beacons at once: all or none`, {
    query: upsert,
    body: {
      // JSON is parsed in one piece on the main thread: 15 ms on a desktop.
      ...t.jsonBody({}, undefined, 2048),
      content: {
        'application/json': { schema: { ...t.listOf(beaconInputSchema), maxItems: MAX_IMPORT } },
        ...{ ...geoJson, ...csv },
      },
    },
    ok: t.json(t.record<ImportCounts>(t.each(t.whole, 'created', 'replaced', 'unchanged'))),
    fails: [409],
  }),
  'POST /beacons/observed': observe('Distances to beacons, and the position from three on', {
    body: t.jsonBody(sightingsSchema, [{ id: BEACON.id, rssi: -67 }], 256),
    ok: t.jsonOf('Observation'),
  }),
});

const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
const corner = t.record<{ lat: number; long: number }>(t.each(t.number, 'lat', 'long'));
const plan = t.record<PlanView>(
  {
    ...{ version: t.text, bytes: t.bytes, type: t.oneOf(PICTURES) },
    ...t.each({ ...t.whole, unit: 'px' }, 'width', 'height'),
  },
  {
    points: t.listOf(
      t.record<Record<'x' | 'y' | 'lat' | 'long', number>>(t.each(t.number, 'x', 'y', 'lat', 'long')),
    ),
    placement: t.record<NonNullable<PlanView['placement']>>({
      ...t.each(t.number, 'metresPerPixel', 'rotationDeg'),
      ...t.each(corner, 'topLeft', 'topRight', 'bottomLeft'),
    }),
  },
);
const found = t.json(t.record<{ plan: unknown }>({ plan: t.orNull(t.ref('FloorPlan')) }));

/** A form sends texts; numbers are read from them. */
const form = (...names: readonly string[]) =>
  t.pageForm(t.open(['id'], t.each(t.text, ...names)), { id: 'dock-north-1' }, 160);

const mapChapter = { name: 'Map', description: 'The page of the beacons.', schemas: { FloorPlan: plan } };
export const mapApi = t.api(mapChapter, {
  'GET /map': t.user('The page of the beacons', {
    query: {
      find: { description: 'The start of the id' },
      after: { description: 'Only beacons after this id' },
      edit: { description: 'The id of the beacon in the form' },
    },
    ok: t.page,
  }),
  'POST /map': t.operator('Adds or saves a beacon: the form of the page', {
    body: form(...Object.keys(beaconInputSchema.properties), 'editing'),
    redirect: 'Saved',
    answers: { 409: t.page },
  }),
  'POST /map/delete': t.operator('Deletes a beacon: the form of the page', {
    body: form('id'),
    redirect: 'Deleted',
    fails: [404],
  }),
  'GET /map/export/:name': t.user('All beacons as a file', {
    path: { name: t.oneOf(['beacons.csv', 'beacons.json', 'beacons.geojson']) },
    ok: {
      content: {
        ...t.jsonListOf('Beacon').content,
        ...{ 'application/geo+json': { schema: t.object }, 'text/csv': { schema: t.text } },
      },
    },
  }),
  'GET /map/plan': t.user('The floor plan', { ok: found }),
  'PUT /map/plan': t.operator('Replaces the picture of the floor plan', {
    body: t.body(PICTURES, {}, undefined, MAX_PLAN_BYTES / 1024),
    ok: found,
  }),
  'GET /map/plan/picture': t.user('The picture of the floor plan', { ok: t.file(...PICTURES), fails: [404] }),
  'PUT /map/plan/points': t.operator('Sets the positions of two pixels of the picture', {
    body: t.jsonBody(
      pointsSchema,
      {
        points: [
          { x: 10, y: 10, lat: 52.3702, long: 4.8952 },
          { x: 900, y: 600, lat: 52.3698, long: 4.8961 },
        ],
      },
      4,
    ),
    ok: found,
    fails: [404, 409],
  }),
  'DELETE /map/plan': t.operator('Removes the floor plan', {
    ok: t.json(t.record<{ plan: null }>({ plan: { type: 'null' } })),
    fails: [404],
  }),
});
