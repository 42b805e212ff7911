import assert from 'node:assert/strict';
import { join } from 'node:path';
import express, { type Express, type Router } from 'express';
import { test } from 'uvu';
import { type SimulatorControls, simulatorRoutes } from '../../../../src/carts/http/simulator-routes.js';
import { APIS } from '../../../../src/gateway/api/apis.js';
import { type AppDeps, createApp } from '../../../../src/gateway/web/app.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { type PolicyEntry, policyOf } from '../../../../src/web/guard/policy.js';
import { requireDeclared, routesOf } from '../../../../src/web/server/declared-routes.js';

/** A stub for all dependencies, because the routes are listed but never called. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, key) => (key === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
});

function gatewayRoutes(): string[] {
  const given = {
    viewsDir: join(packageRoot(), 'views'),
    hostnames: [],
    shop: { shop: anything, sandbox: anything, principalOf: anything },
    simulator: simulatorRoutes(anything as SimulatorControls),
  };
  const deps = new Proxy(given, {
    get: (target, key) => (key in target ? Reflect.get(target, key) : anything),
  }) as unknown as AppDeps;
  const { app } = createApp(deps);
  return routesOf(app);
}

const policy = policyOf(APIS);
const routes = gatewayRoutes();
const listed = (policy: readonly { method: string; path: string }[]): string[] =>
  policy.map(({ method, path }) => `${method} ${path}`);

test('every route is declared, and every declaration has a route', () => {
  assert.ok(routes.length > 30, `only ${routes.length} routes were found`);
  assert.deepEqual(routes.toSorted(), listed(policy).toSorted());
});

test('startup fails when a route is undeclared', () => {
  const declared: PolicyEntry[] = [{ method: 'GET', path: '/carts/:cartID/log', need: 'operator' }];
  const inRouter = (at: string | string[], build: (router: Router) => unknown): Express => {
    const app = express();
    const router = express.Router();
    build(router);
    app.use(at, express.Router().use(router));
    return app;
  };
  const handler = (): void => undefined;
  requireDeclared(
    inRouter('/carts/:cartID', (router) => router.get('/log', handler)),
    declared,
  );
  const undeclared: [string | string[], (router: Router) => unknown, RegExp][] = [
    ['/carts/:cartID', (router) => router.post('/log', handler), /POST \/carts\/:cartID\/log/],
    ['/carts/:cartID', (router) => router.get('/:name', handler), /GET \/carts\/:cartID\/:name/],
    ['/carts/:cartID', (router) => router.all('/log', handler), /_ALL \/carts\/:cartID\/log/],
    ['/carts/:cartID', (router) => router.get(['/log', '/raw'], handler), /GET .*\/log,\/raw/],
    ['/carts/:cartID', (router) => router.get(/log/, handler), /GET .*\/log\//],
    [['/carts/:cartID', '/all'], (router) => router.get('/log', handler), /,\/all\/log/],
    ['/carts', (router) => router.use('/:id', express().get('/log', handler)), /GET \/carts\/:id\/log/],
  ];
  for (const [at, build, message] of undeclared) {
    assert.throws(() => requireDeclared(inRouter(at, build), declared), message);
  }
  const app = express().use('/carts', express());
  assert.throws(() => requireDeclared(app, declared), /APP \/carts/);
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
    'POST /webhooks/:provider',
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
