import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import { errorHandler } from '../../../../src/http/errors.js';
import { policyOf } from '../../../../src/http/guard/policy.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import { RouteTable } from '../../../../src/http/server/route-table.js';
import { siteApi } from '../../../../src/site/http/openapi.js';
import { siteRoutes } from '../../../../src/site/http/routes.js';
import type { OverrideRequest } from '../../../../src/site/zones/zone-gate.js';
import { CHARGER, DOOR, type SiteSetup, SLOW, withSite } from '../site-setup.js';

const test = suite('routes of the site plan');

const GEOJSON = 'application/geo+json';

interface Answer {
  status: number;
  etag: string;
  type: string;
  json: Record<string, unknown>;
}

interface TestSite extends SiteSetup {
  /** The overrides that have been requested and ended. */
  overrides: unknown[];
  call(
    method: string,
    path: string,
    call?: { body?: object; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** Sends the body with the present ETag. */
  put(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
}

/** Runs a test with a real server, but no access control. */
const withRoutes = (run: (site: TestSite) => Promise<void>) =>
  withSite(async (site) => {
    const overrides: unknown[] = [];
    const zoneGate = {
      override: async ({ by: _by, ...request }: OverrideRequest) => void overrides.push(request),
      endOverride: () => void overrides.push('ended'),
    };
    const table = new RouteTable(policyOf([siteApi]));
    const { app, server } = fastExpress({ routes: table });
    app.use(...siteRoutes({ ...site, zoneGate }).routes.values());
    app.use(errorHandler(site.log, (_req, { body }) => JSON.stringify(body)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const call: TestSite['call'] = async (method, path, { body, headers = {} } = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return {
        status: response.status,
        etag: response.headers.get('etag') ?? '',
        type: response.headers.get('content-type') ?? '',
        json: text === '' ? {} : JSON.parse(text),
      };
    };
    const put: TestSite['put'] = async (path, body, headers = {}) => {
      const { etag } = await call('GET', '/zones');
      return await call('PUT', path, { body, headers: { 'if-match': etag, ...headers } });
    };
    try {
      await run({ ...site, call, put, overrides });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

test(
  'stores and returns zones and places with the version and the hash of the floor plan',
  withRoutes(async ({ call, put, floorPlan }) => {
    assert.equal((await put('/zones', { zones: [DOOR] })).status, 200);
    const saved = await put('/places', { places: [CHARGER] });
    const about = {
      version: 2,
      planHash: floorPlan.current?.version,
      needsReview: false,
      reviewReason: null,
    };
    assert.deepEqual(saved.json, { ...about, places: [CHARGER] });
    assert.deepEqual((await call('GET', '/zones')).json, { ...about, zones: [DOOR] });
    const places = await call('GET', '/places');
    assert.deepEqual([places.json, places.etag], [saved.json, saved.etag]);
  }),
);

test(
  'a client can send back what it read',
  withRoutes(async ({ call, put }) => {
    await put('/zones', { zones: [DOOR] });
    const { json } = await call('GET', '/zones');
    const { status, json: again } = await put('/zones', json);
    assert.deepEqual([status, again], [200, json]);
  }),
);

for (const [method, path, body] of [
  ['PUT', '/zones', { zones: [DOOR] }],
  ['PUT', '/places', { places: [CHARGER] }],
  ['POST', '/site-plan/confirm', undefined],
] as const) {
  test(
    `${method} ${path} requires the current ETag`,
    withRoutes(async ({ call, put, sitePlan }) => {
      const { etag: stale } = await call('GET', '/zones');
      await put('/zones', { zones: [SLOW] });
      const send = (headers: Record<string, string>) =>
        call(method, path, { ...(body ? { body } : {}), headers });
      const missing = await send({});
      assert.deepEqual([missing.status, missing.json.code], [428, 'PRECONDITION_REQUIRED']);
      const late = await send({ 'if-match': stale });
      assert.deepEqual([late.status, late.json.code], [412, 'ETAG_MISMATCH']);
      assert.equal(sitePlan.current.version, 1);
      assert.equal((await send({ 'if-match': sitePlan.current.etag })).status, 200);
    }),
  );
}

test(
  'one of two editors is rejected',
  withRoutes(async ({ call, sitePlan }) => {
    const headers = { 'if-match': sitePlan.current.etag };
    const answers = await Promise.all([
      call('PUT', '/zones', { body: { zones: [DOOR] }, headers }),
      call('PUT', '/zones', { body: { zones: [SLOW] }, headers }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412]);
    assert.equal(sitePlan.current.version, 1);
  }),
);

test(
  'sends nothing when the client has the current version',
  withRoutes(async ({ call, put }) => {
    const { etag } = await put('/zones', { zones: [DOOR] });
    for (const path of ['/zones', '/places']) {
      assert.equal((await call('GET', path, { headers: { 'if-none-match': etag } })).status, 304, path);
    }
  }),
);

test(
  'rejects an invalid zone with its corner, the limit and all faults',
  withRoutes(async ({ put }) => {
    const polygon = [
      [0, 0],
      [99_999, 0],
      [0, 5],
    ];
    const { status, json } = await put('/zones', { zones: [{ ...DOOR, polygon }] });
    const { code, field, limit, unit, message } = json;
    assert.deepEqual(
      [status, code, field, limit, unit, message],
      [
        400,
        'INVALID_INPUT',
        'zones/0/polygon/1',
        10_000,
        'mm',
        'Zone "door", corner 2: x must be between 0 and 10000 mm, within the floor plan',
      ],
    );
  }),
);

test(
  'imports the zones and places of another gateway that were exported as GeoJSON',
  withRoutes(async ({ call, put }) => {
    await put('/zones', { zones: [DOOR, SLOW] });
    await put('/places', { places: [CHARGER] });
    const accept = { accept: GEOJSON };
    const [zones, places] = [
      await call('GET', '/zones', { headers: accept }),
      await call('GET', '/places', { headers: accept }),
    ];
    assert.match(zones.type, /^application\/geo\+json/);
    await put('/zones', { zones: [] });
    await put('/places', { places: [] });
    const type = { 'content-type': GEOJSON };
    assert.deepEqual((await put('/zones', zones.json, type)).json.zones, [DOOR, SLOW]);
    assert.deepEqual((await put('/places', places.json, type)).json.places, [CHARGER]);
  }),
);

test(
  'exports no GeoJSON while the zones need a review',
  withRoutes(async ({ call, put, drawFloor, sitePlan }) => {
    await put('/zones', { zones: [DOOR] });
    await drawFloor(200);
    const headers = { accept: GEOJSON };
    const refused = await call('GET', '/zones', { headers });
    assert.deepEqual([refused.status, refused.json.code], [409, 'CONFLICT']);
    assert.equal((await call('GET', '/zones')).json.needsReview, true);
    const confirmed = await call('POST', '/site-plan/confirm', {
      headers: { 'if-match': sitePlan.current.etag },
    });
    assert.equal(confirmed.json.needsReview, false);
    assert.equal((await call('GET', '/zones', { headers })).status, 200);
  }),
);

test(
  'an operator switches the zones off for at most 60 s with a reason, and on again',
  withRoutes(async ({ call, overrides }) => {
    const body = { reason: 'pallet', seconds: 60 };
    assert.equal((await call('POST', '/site-plan/override', { body })).status, 200);
    for (const wrong of [{ seconds: 10 }, { reason: '', seconds: 10 }, { ...body, seconds: 61 }]) {
      const { status, json } = await call('POST', '/site-plan/override', { body: wrong });
      assert.deepEqual([status, json.code], [400, 'INVALID_INPUT']);
    }
    assert.equal((await call('DELETE', '/site-plan/override')).status, 200);
    assert.deepEqual(overrides, [body, 'ended']);
  }),
);

test('operators read, and only administrators change the site plan', () => {
  const needs = Object.entries(siteApi.routes).map(([name, { need }]) => [name, need]);
  assert.deepEqual(needs, [
    ['GET /zones', 'operator'],
    ['PUT /zones', 'admin'],
    ['GET /places', 'operator'],
    ['PUT /places', 'admin'],
    ['POST /site-plan/confirm', 'admin'],
    ['POST /site-plan/override', 'operator'],
    ['DELETE /site-plan/override', 'operator'],
  ]);
  const withLogin = Object.entries(siteApi.routes).filter(([, { lan }]) => lan === false);
  assert.deepEqual(
    withLogin.map(([name]) => name),
    ['POST /site-plan/override'],
    'clients on a trusted network share one identity',
  );
});

test.run();
