import * as t from '../../http/openapi/schema-helpers.js';
import { MAX_PLAN_BYTES } from '../floor-plan/image.js';
import { type PlanView, planLineSchema, pointsSchema } from '../floor-plan/schema.js';

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const corner = t.record<{ lat: number; long: number }>(t.each(t.number, 'lat', 'long'));
const plan = t.record<PlanView>(
  {
    version: t.text,
    bytes: t.bytes,
    type: t.oneOf(IMAGE_TYPES),
    ...t.each({ ...t.whole, unit: 'px' }, 'width', 'height'),
  },
  {
    orientation: {
      ...t.between(1, 8),
      description:
        'EXIF orientation of the image. `width`, `height` and all pixel coordinates refer to the image with this orientation applied',
    },
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

const LINE = { x1: 30, y1: 930, x2: 1170, y2: 930, lengthM: 57 };
const LINE_FORM = { x1: '30', y1: '930', x2: '1170', y2: '930', lengthM: '57' };

const planChapter = {
  name: 'Floor plan',
  description:
    'The image of the floor, and its scale and position. While the site plan has zones, only administrators can change it, and the history contains each change.',
  schemas: { FloorPlan: plan },
};
export const planApi = t.api(planChapter, {
  'GET /map/plan': t.user('Returns the floor plan', { ok: found }),
  'PUT /map/plan': t.operator('Replaces the floor plan image', {
    body: t.body(IMAGE_TYPES, {}, undefined, MAX_PLAN_BYTES / 1024),
    ok: found,
  }),
  'GET /map/plan/picture': t.user('Returns the floor plan image', {
    ...t.downloadOf(t.contentOf(IMAGE_TYPES, {})),
  }),
  'PUT /map/plan/line': t.operator('Sets the scale of the floor plan from a line of known length', {
    description:
      'A plan without a position is placed with its bottom left corner at the origin and north at the top.',
    body: t.jsonBody(planLineSchema, LINE, 4),
    ok: found,
    fails: [404],
  }),
  'POST /map/plan/line': t.operator(
    'Sets the scale of the floor plan from a line of known length (HTML form)',
    {
      body: t.pageForm(t.open([], t.each(t.text, ...Object.keys(LINE))), LINE_FORM, 4),
      redirect: 'Saved',
      answers: { 404: t.page },
    },
  ),
  'PUT /map/plan/points': t.operator('Sets the geographic positions of two points in the floor plan image', {
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
  'DELETE /map/plan': t.operator('Deletes the floor plan', {
    ok: t.json(t.record<{ plan: null }>({ plan: { type: 'null' } })),
    fails: [404],
  }),
});
