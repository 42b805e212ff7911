import { zoneDetails } from '../../http/openapi/failures.js';
import * as t from '../../http/openapi/schema-helpers.js';
import type { LegCheck, RouteCheck } from '../routes/check.js';
import type { Route } from '../routes/route.js';
import { legSchema, routeBodySchema, routeSchema, runRequestSchema } from '../routes/schema.js';
import type { TeachingView } from '../routes/teaching.js';
import { RUN_PHASES } from '../runs/run-machine.js';
import type { RunReason, RunView } from '../runs/run-view.js';
import { etag, ifMatch, ifNoneMatch, plan } from './openapi.js';

const ROUTE: Route = {
  id: 'to-the-charger',
  name: 'To the charger',
  legs: [
    { xMm: 1000, yMm: 1000, headingDeg: 0 },
    { xMm: 4000, yMm: 1000, maxSpeedMmps: 300 },
    { xMm: 4000, yMm: 2500, action: { kind: 'DOCK', markerId: 12 } },
  ],
};

/** A route with 500 legs has about 60 kB. */
const BODY_KIB = 128;

const blocked = t.record<Extract<LegCheck, { ok: false }>>(
  {
    ok: { const: false },
    code: t.oneOf(['ZONE_BLOCKED', 'ZONE_MANUAL_ONLY', 'POSE_LOST']),
    atMm: { ...t.mm, description: 'How far the cart gets on this leg' },
  },
  { zoneId: t.text },
);
const check = t.record<RouteCheck>({
  lengthM: { ...t.number, unit: 'm' },
  durationS: { ...t.number, unit: 's', description: 'With turns, stops at corners and waiting times' },
  legs: t.listOf({ anyOf: [t.exact({ ok: { const: true } }), blocked] }),
  path: {
    ...t.listOf(
      t.record<RouteCheck['path'][number]>({
        leg: t.whole,
        ...t.each(t.mm, 'xMm', 'yMm'),
        headingDeg: t.deg,
        atS: { ...t.number, unit: 's' },
      }),
    ),
    description: 'The pose after each motion',
  },
});

const runSchema = t.record<RunView>(
  {
    runId: t.uuid,
    ...t.each(t.text, 'routeId', 'routeName'),
    cartID: t.whole,
    state: t.oneOf(RUN_PHASES),
    leg: { ...t.whole, description: 'The leg that is being driven, counted from 0' },
    ...t.each(t.whole, 'legs', 'loop', 'loops'),
    progressMm: { ...t.mm, description: 'Length of the legs that have been driven in this repetition' },
    lengthMm: t.mm,
    by: { ...t.text, description: 'User who started the run' },
    startedAt: t.moment,
  },
  {
    reason: {
      ...t.record<RunReason>(t.each(t.text, 'code', 'text'), zoneDetails),
      description: 'Why the run is paused or has ended; absent if it has been completed',
    },
    holder: { ...t.text, description: 'User who holds the control of the run' },
    endedAt: t.moment,
  },
);

const teaching = t.record<TeachingView>(
  { isRecording: t.flag, lengthMm: t.mm },
  { by: t.text, fault: { ...t.text, description: 'Why the recording has ended by itself' } },
);

const routes = { headers: etag, ...t.json(t.exact({ ...plan, routes: t.refs('Route') })) };
const control = (summary: string) => t.operator(summary, { ok: t.jsonOf('Run'), fails: [404, 409] });

const chapter = {
  name: 'Routes and runs',
  description:
    'A route consists of straight legs, each after a turn; the first leg leads to its start. A run drives a route with ordinary commands of at most 1 m and measures the position after each. A cart moves in a run only while an operator holds its control: a client that has control sends `hold` messages on the drive socket ten times a second. A released control pauses the run, and ends it after 10 s. An obstacle pauses it until a person resumes it. A stop, another command, a lost link, a lost position, another operator or a restart of the gateway ends it as `FAILED`. A run does not start again by itself.',
  schemas: { Route: routeSchema, Leg: legSchema, Run: runSchema, RouteCheck: check },
};
export const runApi = t.api(chapter, {
  'GET /routes': t.operator('Returns the routes', {
    headers: ifNoneMatch,
    ok: routes,
    answers: { 304: {} },
  }),
  'PUT /routes/:id': t.operator('Adds or replaces a route', {
    headers: ifMatch,
    body: t.jsonBody(routeBodySchema, { name: ROUTE.name, legs: ROUTE.legs }, BODY_KIB),
    ok: routes,
    fails: [409, 412, 428],
  }),
  'DELETE /routes/:id': t.operator('Deletes a route', {
    headers: ifMatch,
    ok: routes,
    fails: [404, 409, 412, 428],
  }),
  'POST /routes/:id/check': t.operator(
    'Returns the length and duration of a route and the zones in its way',
    {
      ok: t.jsonOf('RouteCheck'),
      fails: [404, 409],
    },
  ),
  'GET /teaching': t.operator('Returns the state of the recording of a route', { ok: t.json(teaching) }),
  'POST /teaching': t.operator('Begins to record how the cart is driven by hand', {
    ok: t.json(teaching),
    fails: [409],
  }),
  'POST /teaching/finish': t.operator('Ends the recording and returns its legs', {
    description: 'The legs are not stored; send them with `PUT /routes/:id`.',
    ok: t.json(t.exact({ legs: t.refs('Leg') })),
    fails: [400, 409],
  }),
  'DELETE /teaching': t.operator('Discards the recording', { ok: t.done }),
  'GET /runs': t.operator('Returns the last runs, newest first', { ok: t.jsonListOf('Run') }),
  'POST /runs': t.operator('Prepares a run, which begins when an operator holds its control', {
    body: t.jsonBody(runRequestSchema, { routeId: ROUTE.id, cartID: 1 }, 4),
    created: t.jsonOf('Run'),
    fails: [404, 409],
  }),
  'GET /runs/:runId': t.operator('Returns a run', { ok: t.jsonOf('Run') }),
  'POST /runs/:runId/pause': control('Pauses a run'),
  'POST /runs/:runId/resume': control('Resumes a run, which continues when its control is held'),
  'POST /runs/:runId/cancel': control('Cancels a run'),
});
