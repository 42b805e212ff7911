import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { APIS } from '../../../../src/app/api/apis.js';
import type { AppContext } from '../../../../src/app/context.js';
import { type AppModules, type AppOptions, createApp } from '../../../../src/app/web/app.js';
import { beaconApi } from '../../../../src/beacons/http/openapi.js';
import { type SimulatorControls, simulatorRoutes } from '../../../../src/carts/http/simulator-routes.js';
import { policyOf } from '../../../../src/http/guard/policy.js';
import type { Api } from '../../../../src/http/openapi/types.js';
import { type DeclaredRouter, routerOf } from '../../../../src/http/server/declared-router.js';
import type { RouteTable } from '../../../../src/http/server/route-table.js';
import { packageRoot } from '../../../../src/shared/package-root.js';

/** A stub for all dependencies, because the routes are listed but never called. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, key) => (key === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
});

const handler = (): void => undefined;

function createRoutes(simulator?: DeclaredRouter): RouteTable {
  return createApp(anything as AppContext, anything as AppModules, {
    viewsDir: join(packageRoot(), 'views'),
    hostnames: [],
    local: anything as AppOptions['local'],
    simulator: simulator ?? simulatorRoutes(anything as SimulatorControls),
  }).routes;
}

const policy = policyOf(APIS);
const listed = (policy: readonly { method: string; path: string }[]): string[] =>
  policy.map(({ method, path }) => `${method} ${path}`);

test('every declaration has a route', () => {
  assert.deepEqual(createRoutes().unserved(), []);
});

test('startup fails when a router mounts a route that is not in the route table', () => {
  for (const name of ['GET /carts/:cartID/log', 'GET /carts/:id', 'DELETE /estop'] as const) {
    const routes: Api['routes'] = Object.fromEntries([[name, { need: 'public', summary: 'Test' }]]);
    const router: DeclaredRouter = routerOf({ name: 'Test', routes });
    router.on(name, handler);
    assert.throws(() => createRoutes(router), new RegExp(`undeclared route: ${name}`));
  }
});

test('a router rejects a route that its API does not declare', () => {
  const router = routerOf(beaconApi);
  // @ts-expect-error this route is not declared
  assert.throws(() => router.on('GET /carts', handler), /undeclared route: GET \/carts/);
});

test('startup fails when a route is mounted twice', () => {
  const router = routerOf(beaconApi);
  router.on('GET /beacons', handler);
  assert.throws(() => createRoutes(router), /GET \/beacons is served twice/);
  assert.throws(() => router.on('GET /beacons', handler), /GET \/beacons is mounted twice/);
});

test('no route is declared twice', () => {
  const all = listed(policy);
  assert.equal(new Set(all).size, all.length);
});

test('only login, logout, setup, language and verified callback routes allow anonymous state changes', () => {
  const open = policy.filter(({ need, method }) => need === 'public' && method !== 'GET');
  assert.deepEqual(listed(open).toSorted(), [
    // This route only sets a cookie.
    'POST /language',
    'POST /login',
    'POST /login/code',
    'POST /logout',
    'POST /sandbox/:ref',
    'POST /setup',
    'POST /setup/gateway-backups',
    'POST /setup/gateway-backups/:name/inspect',
    'POST /setup/gateway-backups/:name/restore',
    'POST /webhooks/:provider',
    'PUT /setup/gateway-backups/:name',
  ]);
});

test('changes to the catalogue and shop records require an operator or an API key with the required scope', () => {
  const scopes: Record<string, readonly string[]> = {
    'POST /games': ['games:write'],
    'PATCH /games/:gameId': ['games:write'],
    'DELETE /games/:gameId': ['games:write'],
    'GET /payments': ['payments:read', 'payments:admin'],
    'PATCH /payments/updateStatus/:status/:orderId': ['payments:admin'],
    'PATCH /payments/updateStatus/:status': ['payments:admin'],
    'PATCH /payments/updateStatus//:orderId': ['payments:admin'],
    'PATCH /payments/updateStatus': ['payments:admin'],
    'GET /shop/admin': [],
    'POST /shop/admin/games/:gameId': [],
  };
  const protectedRoutes = policy.filter(({ method, path }) => `${method} ${path}` in scopes);
  assert.equal(protectedRoutes.length, Object.keys(scopes).length);
  for (const { method, path, need, scopes: own = [], lan } of protectedRoutes) {
    const route = `${method} ${path}`;
    assert.equal(need, 'operator', route);
    assert.deepEqual(own, scopes[route], route);
    if (path.startsWith('/payments/updateStatus')) assert.equal(lan, false, `${route} needs a login`);
  }
});

test.run();
