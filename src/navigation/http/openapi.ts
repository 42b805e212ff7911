import * as t from '../../http/openapi/schema-helpers.js';
import { OPENED } from '../../http/server/form-edits.js';
import type { Marker, Pose } from '../markers/model.js';
import { markerIdSchema, markerSchema, poseSchema } from '../markers/schema.js';

const write = t.access({ need: 'operator', scopes: ['beacons:write'] });

const MARKER: Marker = {
  id: 12,
  sizeMm: 150,
  purpose: 'dock',
  xMm: 4000,
  yMm: 0,
  headingDeg: 90,
};

const etag = { etag: { description: 'Changes whenever the marker changes' } };
const one = { ...t.jsonOf('Marker', MARKER), headers: etag };
const path = { id: markerIdSchema };
const ifMatch = { 'If-Match': { description: '`ETag` of the marker that the client read' } };

const form = (...names: readonly string[]) =>
  t.pageForm(t.open(['id'], t.each(t.text, ...names)), { id: '12' }, 4);

const markerChapter = {
  name: 'Markers',
  description:
    'Printed AprilTag markers (tag36h11 family) and their positions on the floor plan, in millimetres from its lower left corner, with x to the right and y up. Angles are in degrees, measured counterclockwise from the x-axis. While the site plan has zones, a marker cannot be changed while the cart is moving (`NOT_IDLE`), and the history contains each change.',
  schemas: { Marker: markerSchema },
};
export const markerApi = t.api(markerChapter, {
  'GET /markers': t.anyone('Returns all markers, sorted by ID; shows the Markers page to browsers', {
    query: { edit: { description: 'ID of the marker to edit in the form' } },
    headers: { 'If-None-Match': { description: '`ETag` of the list that the client already has' } },
    ok: {
      ...t.jsonOrPage(t.refs('Marker'), [MARKER]),
      headers: { etag: { description: 'Changes whenever the list changes; not sent with the page' } },
    },
    answers: { 304: {} },
    fails: [],
  }),
  'GET /markers/:id': t.anyone('Returns a marker', { path, ok: one, fails: [404] }),
  'GET /markers/:id/sheet.svg': t.anyone('Returns a printable sheet with the marker at its true size', {
    path,
    ok: t.file('image/svg+xml'),
    fails: [404],
  }),
  'POST /markers': write('Adds a marker', {
    description: 'Adding an identical marker again succeeds.',
    body: t.jsonBody(markerSchema, MARKER, 4),
    ok: one,
    fails: [409],
  }),
  'PUT /markers/:id': write('Adds or replaces the marker with this ID', {
    path,
    headers: ifMatch,
    body: t.jsonBody({ ...markerSchema, required: markerSchema.required.slice(1) }, MARKER, 4),
    ok: one,
    fails: [409, 412],
  }),
  'DELETE /markers/:id': write('Deletes a marker and returns it', {
    path,
    headers: ifMatch,
    ok: t.jsonOf('Marker', MARKER),
    fails: [404, 409, 412],
  }),
  'POST /markers/save': t.operator('Adds or updates a marker (HTML form)', {
    body: form(...Object.keys(markerSchema.properties), 'editing', OPENED),
    redirect: 'Saved',
    answers: { 409: t.page, 412: t.page },
  }),
  'POST /markers/delete': t.operator('Deletes a marker (HTML form)', {
    body: form('id'),
    redirect: 'Deleted',
    fails: [404, 409],
  }),
});

const POSE: Pose = { xMm: 2500, yMm: 1200, headingDeg: 90 };

const locationChapter = {
  name: 'Localization',
  description:
    "The position and heading of the gateway's cart on the floor plan, from odometry, markers and beacons.",
  schemas: {},
};
export const locationApi = t.api(locationChapter, {
  'PUT /navigation/location': t.operator("Sets the cart's position on the floor plan", {
    description:
      'The position is assumed to be accurate to 0.2 m and 6 degrees until a marker sighting corrects it. While the site plan has zones, the position cannot be set while the cart is moving (`NOT_IDLE`), and the history contains each position.',
    body: t.jsonBody(poseSchema, POSE, 4),
    ok: t.jsonOf('CartLocation'),
    fails: [409],
  }),
});
