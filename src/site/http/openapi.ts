import * as t from '../../http/openapi/schema-helpers.js';
import { overrideSchema, type Place, placeSchema, REVIEW_REASONS, zoneSchema } from '../plan-data/schema.js';
import type { Zone } from '../zones/zone.js';

const ZONE: Zone = {
  id: 'charging-corner',
  kind: 'SPEED_LIMIT',
  name: 'Charging corner',
  polygon: [
    [0, 0],
    [4000, 0],
    [4000, 3000],
    [0, 3000],
  ],
  maxSpeedMmps: 300,
};

const PLACE: Place = {
  id: 'charger-1',
  name: 'Charger 1',
  purpose: 'CHARGE',
  xMm: 3500,
  yMm: 500,
  headingDeg: 0,
  markerId: 12,
};

/** Clients on a trusted network that are not logged in share one identity, so the route requires a login there, too. */
const personal = t.access({ need: 'operator', lan: false });

/** The largest site plan has about 100 kB as JSON and 200 kB as GeoJSON. */
const BODY_KIB = 512;

export const plan = {
  version: { ...t.whole, minimum: 0, description: 'Increases with each change of the zones or the places' },
  planHash: {
    ...t.orNull(t.text),
    description: 'Hash of the floor plan on which the zones and places were drawn; `null` if there are none',
  },
  needsReview: {
    ...t.flag,
    description:
      'True if a person must confirm the zones and places, for the reason in `reviewReason`. The zones are then not enforced: the cart drives at most 100 mm/s by hand, and all other motions are rejected with `POSE_LOST`. `POST /site-plan/confirm` ends this state',
  },
  reviewReason: {
    ...t.orNull(t.oneOf(REVIEW_REASONS)),
    description:
      '`FLOOR_PLAN`: The image or the scale of the floor plan has changed since the zones and places were drawn. `OTHER_FLOOR_PLAN`: The image or the scale differs from those of the gateway that has published the zones and places. `DATA_LOST`: The zones and places differ from those that were saved last, because the database was replaced or restored, or has lost changes. `NOT_RECEIVED`: Another gateway owns the zones and places, and its site plan has not been applied yet. The last two also without zones',
  },
};

const geoJson = {
  'application/geo+json': {
    schema: t.open(['type', 'features'], { type: t.text, features: t.listOf(t.object) }),
  },
};
export const etag = {
  etag: { description: 'Changes whenever the zones, the places or the floor plan change' },
};
export const ifMatch = {
  'If-Match': { description: '`ETag` of the version that the client read; required' },
};
export const ifNoneMatch = { 'If-None-Match': { description: '`ETag` that the client already has' } };

const answer = (name: 'zones' | 'places', item: string) => ({
  headers: etag,
  content: { ...t.json(t.exact({ ...plan, [name]: t.refs(item) })).content, ...geoJson },
});
const bodyOf = (name: 'zones' | 'places', item: string, example: object) => ({
  ...t.jsonBody(t.open([name], { [name]: t.refs(item) }), { [name]: [example] }, BODY_KIB),
  content: { ...t.json(t.open([name], { [name]: t.refs(item) }), { [name]: [example] }).content, ...geoJson },
});

const siteChapter = {
  name: 'Site plan',
  description:
    'Zones and places on the floor plan, in millimetres from its lower left corner, with x to the right and y up. Angles are in degrees, measured counterclockwise from the x axis. Zones and places have one version. As GeoJSON (`application/geo+json`), positions are in degrees (WGS 84), and `headingDeg` is replaced with `bearingDeg`, clockwise from north. Zones are an aid for the layout, not a safety function.',
  schemas: { Zone: zoneSchema, Place: placeSchema },
};
export const siteApi = t.api(siteChapter, {
  'GET /zones': t.operator('Returns the zones', {
    headers: ifNoneMatch,
    ok: answer('zones', 'Zone'),
    answers: { 304: {} },
    fails: [409],
  }),
  'PUT /zones': t.admin('Replaces all zones', {
    headers: ifMatch,
    body: bodyOf('zones', 'Zone', ZONE),
    ok: answer('zones', 'Zone'),
    fails: [409, 412, 428],
  }),
  'GET /places': t.operator('Returns the places', {
    headers: ifNoneMatch,
    ok: answer('places', 'Place'),
    answers: { 304: {} },
    fails: [409],
  }),
  'PUT /places': t.admin('Replaces all places', {
    headers: ifMatch,
    body: bodyOf('places', 'Place', PLACE),
    ok: answer('places', 'Place'),
    fails: [409, 412, 428],
  }),
  'POST /site-plan/confirm': t.admin(
    'Confirms the zones and places on a changed floor plan or after a loss of data',
    {
      headers: ifMatch,
      ok: { ...t.json(t.exact(plan)), headers: etag },
      fails: [400, 409, 412, 428],
    },
  ),
  'POST /site-plan/override': personal('Lets the operator drive by hand through zones for a short time', {
    description:
      'Applies only to the caller, at most at 100 mm/s. Every request needs a reason, which the history contains. An emergency stop ends it; if one occurs during the request, the response is `SUPERSEDED`.',
    body: t.jsonBody(overrideSchema, { reason: 'A pallet blocks the aisle', seconds: 30 }),
    ok: t.done,
    fails: [409],
  }),
  'DELETE /site-plan/override': t.operator('Enforces the zones again', { ok: t.done }),
});
