import {
  away,
  json,
  jsonBody,
  listOf,
  number,
  oneOf,
  orNull,
  page,
  record,
  ref,
  text,
  whole,
} from '../../web/openapi/parts.js';
import type { Api, Body } from '../../web/openapi/types.js';
import type { PlanView } from '../floor-plan/schema.js';
import { pointsSchema } from '../floor-plan/schema.js';
import { beaconInputSchema } from '../registry/schema.js';

const degrees = { lat: number, long: number };
const corner = record<{ lat: number; long: number }>(degrees);
const px = { ...whole, unit: 'px' };

const plan = record<PlanView>(
  {
    ...{ version: text, width: px, height: px, bytes: { ...whole, unit: 'bytes' } },
    type: oneOf(['image/png', 'image/jpeg', 'image/webp']),
  },
  {
    points: listOf(
      record<{ x: number; y: number; lat: number; long: number }>({ x: number, y: number, ...degrees }),
    ),
    placement: record<NonNullable<PlanView['placement']>>({
      ...{ metresPerPixel: number, rotationDeg: number },
      ...{ topLeft: corner, topRight: corner, bottomLeft: corner },
    }),
  },
);
const found = json('The plan', record<{ plan: unknown }>({ plan: orNull(ref('FloorPlan')) }));
const none = json('There is none any more', record<{ plan: null }>({ plan: { type: 'null' } }), {
  plan: null,
});
const picture = {
  'image/png': { schema: {} },
  'image/jpeg': { schema: {} },
  'image/webp': { schema: {} },
};

/** A form sends texts: numbers are read from them. */
const texts = Object.fromEntries(Object.keys(beaconInputSchema.properties).map((name) => [name, text]));
const form = (names: Record<string, object>): Body => ({
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', required: ['id'], properties: names },
      example: { id: 'dock-north-1' },
    },
  },
});

const encoded = { schema: text };

export const mapApi: Api = {
  tag: { name: 'Map', description: 'The page of the beacons, and the floor plan under it.' },
  schemas: { FloorPlan: plan },
  routes: {
    'GET /map': {
      summary: 'The page of the beacons',
      query: {
        find: { description: 'How the id begins' },
        after: { description: 'An id: those behind it' },
        edit: { description: 'An id: this beacon in the form' },
      },
      answers: { 200: page('`beacons.html`') },
    },
    'POST /map': {
      summary: 'Adds or saves a beacon: the form of the page',
      body: form({ ...texts, editing: text }),
      answers: {
        303: away('Saved'),
        ...Object.fromEntries(
          [400, 409, 500, 503].map((status) => [status, page('The form, with what is wrong')]),
        ),
      },
    },
    'POST /map/delete': {
      summary: 'Deletes a beacon: the form of the page',
      body: form({ id: text }),
      answers: { 303: away('Deleted') },
      failures: [404, 503],
    },
    'GET /map/export/:name': {
      summary: 'All beacons as a file',
      path: {
        name: {
          description: 'Which kind',
          schema: oneOf(['beacons.csv', 'beacons.json', 'beacons.geojson']),
        },
      },
      answers: {
        200: {
          description: 'The file',
          content: {
            'application/json': { schema: listOf(ref('Beacon')) },
            'application/geo+json': { schema: { type: 'object' } },
            'text/csv': encoded,
          },
        },
      },
      failures: [404],
    },
    'GET /map/plan': { summary: 'The floor plan', answers: { 200: found } },
    'PUT /map/plan': {
      summary: 'Puts a picture under the map',
      body: { required: true, content: picture },
      answers: { 200: found },
      failures: [500, 503],
    },
    'GET /map/plan/picture': {
      summary: 'The picture of the floor plan',
      answers: { 200: { description: 'The picture', content: picture } },
      failures: [404],
    },
    'PUT /map/plan/points': {
      summary: 'Says where two of its pixels are',
      body: jsonBody(pointsSchema, {
        points: [
          { x: 10, y: 10, lat: 52.3702, long: 4.8952 },
          { x: 900, y: 600, lat: 52.3698, long: 4.8961 },
        ],
      }),
      answers: { 200: found },
      failures: [404, 409, 500, 503],
    },
    'DELETE /map/plan': {
      summary: 'Takes the floor plan away',
      answers: { 200: none },
      failures: [404, 500, 503],
    },
  },
};
