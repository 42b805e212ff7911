import * as t from '../../web/openapi/parts.js';
import { MAX_PLAN_BYTES } from '../floor-plan/image.js';
import { type PlanView, pointsSchema } from '../floor-plan/schema.js';
import { beaconInputSchema } from '../registry/schema.js';

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
