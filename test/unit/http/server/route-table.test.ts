import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { suite } from 'uvu';
import { APIS } from '../../../../src/app/api/apis.js';
import { type PolicyEntry, policyOf, type RouteName } from '../../../../src/http/guard/policy.js';
import type { Api } from '../../../../src/http/openapi/types.js';
import { routerOf } from '../../../../src/http/server/declared-router.js';
import { isStopRequest, RouteTable, routeMatchOf } from '../../../../src/http/server/route-table.js';

const test = suite('route table');

const declare = (...names: string[]): PolicyEntry[] =>
  names.map((name) => {
    const [method, path = ''] = name.split(' ');
    return { method: method as PolicyEntry['method'], path, need: 'public', answers: 'no-page' };
  });

const apiOf = (...names: RouteName[]): Api => ({
  name: 'Test',
  routes: Object.fromEntries(names.map((name) => [name, { need: 'public', summary: 'Test' }])),
});

const table = new RouteTable(
  declare(
    'GET /',
    'GET /backups',
    'POST /backups',
    'PUT /backups/upload',
    'GET /backups/:name',
    'GET /a/:id/status',
    'GET /a/list/:id',
    'PATCH /a//:id',
    'GET /assets/{*name}',
  ),
);

const pathFor = (path: string, method = 'GET') => table.find(method, path).route?.path;

test('ignores the case of a path and one trailing slash', () => {
  for (const path of ['/backups', '/BACKUPS', '/backups/', '/Backups/'])
    assert.equal(pathFor(path), '/backups', path);
  for (const path of ['/A/7/STATUS', '/a/7/status/']) assert.equal(pathFor(path), '/a/:id/status', path);
  assert.equal(pathFor('/'), '/');
});

test('matches a HEAD request with the route for GET', () => {
  assert.equal(pathFor('/backups', 'HEAD'), '/backups');
  assert.equal(pathFor('/a/7/status', 'HEAD'), '/a/:id/status');
  assert.equal(pathFor('/backups/upload', 'HEAD'), '/backups/:name');
});

test('the route table does not decode a path', () => {
  assert.equal(pathFor('/%62ackups'), undefined);
  assert.equal(pathFor('/a/7/%73tatus'), undefined);
  assert.equal(pathFor('/backups/%62'), '/backups/:name');
});

test('requires a value for each parameter and rejects additional segments', () => {
  for (const path of ['', '*', '//backups', '/backups//', '/backups/x/y', '/a//status', '/a/7', '/assets/'])
    assert.equal(pathFor(path), undefined, path);
  assert.equal(pathFor('/a//7', 'PATCH'), '/a//:id');
  assert.equal(pathFor('/assets/js/drive.js'), '/assets/{*name}');
});

test('the route table prefers a literal segment to a parameter', () => {
  assert.equal(pathFor('/a/list/status'), '/a/list/:id');
  assert.equal(pathFor('/backups/upload', 'PUT'), '/backups/upload');
});

test('returns the methods of all routes that match a path', () => {
  const methods = (path: string): readonly string[] => table.find('DELETE', path).methods;
  assert.deepEqual(methods('/backups/'), ['GET', 'POST']);
  assert.deepEqual(methods('/backups/upload'), ['PUT', 'GET']);
  assert.deepEqual(methods('/backups/b'), ['GET']);
  assert.deepEqual(methods('/nothing'), []);
  assert.equal(table.find('DELETE', '/backups').route, undefined);
});

const requestFor = (url: string, method = 'POST'): IncomingMessage =>
  ({ url, method }) as unknown as IncomingMessage;

test('the route table compares each request with the routes only once', () => {
  const req = requestFor('/backups?a=/b', 'GET');
  const match = table.match(req);
  req.url = '/elsewhere';
  assert.equal(table.match(req), match);
  assert.equal(routeMatchOf(req).route?.path, '/backups');
});

test('finds the route of an absolute target, and of a target with a fragment', () => {
  for (const url of ['http://cart/backups?a', 'HTTP://cart/a/../backups', '/backups#a', '/backups?a#/b'])
    assert.equal(table.match(requestFor(url, 'GET')).route?.path, '/backups', url);
  assert.equal(table.match(requestFor('http://[', 'GET')).route, undefined);
});

test('fails for a request that the table has not matched', () => {
  assert.throws(() => routeMatchOf(requestFor('/backups')), /not been compared/);
});

/** Serves routes whose handlers report their names, and returns the result of a request. */
async function served(names: readonly RouteName[], method: string, url: string): Promise<unknown> {
  const routes = new RouteTable(declare(...names));
  const router = routerOf(apiOf(...names));
  const results: unknown[] = [];
  for (const name of names) {
    router.on(name, (_req, _res, next) => {
      results.push(name);
      next();
    });
  }
  const req = { method, url, headers: {} } as unknown as Request;
  routes.match(req);
  await new Promise<void>((resolve) => {
    routes.serve(router)(req, {} as Response, (error?: unknown) => {
      if (error !== undefined) results.push(error);
      resolve();
    });
  });
  return results;
}

test('passes a request only to the handler of its route', async () => {
  const names = ['GET /a/:id/status', 'GET /a/list/:id', 'GET /{*path}'] as const;
  assert.deepEqual(await served(names, 'GET', '/a/list/status'), ['GET /a/list/:id']);
  assert.deepEqual(await served(names, 'HEAD', '/A/7/status/?a'), ['GET /a/:id/status']);
  assert.deepEqual(await served(names, 'GET', '/b'), ['GET /{*path}']);
  assert.deepEqual(await served(names, 'POST', '/b'), []);
});

test('fails a request that Express does not match with the same route', async () => {
  const routes = new RouteTable(declare('GET /a', 'GET /a/:id'));
  const router = routerOf(apiOf('GET /a', 'GET /a/:id'));
  const reached: string[] = [];
  router.on('GET /a', () => void reached.push('/a'));
  router.on('GET /a/:id', () => void reached.push('/a/:id'));
  const handle = routes.serve(router);
  for (const [matched, changed] of [
    ['/a', '/a/7'],
    ['/a/7', '/a'],
    ['/a', '/b'],
    ['/a/7', '/a/7/8'],
  ]) {
    const req = { method: 'GET', url: matched, headers: {} } as unknown as Request;
    routes.match(req);
    Object.assign(req, { url: changed });
    const error = await new Promise((resolve) => handle(req, {} as Response, resolve));
    assert.match(String(error), /Express does not match GET/, `${matched} ${changed}`);
  }
  assert.deepEqual(reached, []);
});

test('fails a request that reaches the handlers without having been matched', () => {
  const router = routerOf(apiOf('GET /a'));
  router.on('GET /a', () => assert.fail('the handler was reached'));
  const handle = new RouteTable(declare('GET /a')).serve(router);
  assert.throws(
    () => handle(requestFor('/a', 'GET') as Request, {} as Response, () => undefined),
    /compared/,
  );
});

test('recognises a stop route by its declaration', () => {
  const routes = new RouteTable(policyOf(APIS));
  const isStop = (url: string, method?: string): boolean => {
    const req = requestFor(url, method);
    routes.match(req);
    return isStopRequest(req);
  };
  for (const url of ['/estop', '/STOP/', '/stop/mine?a', '/carts/2/stop', 'http://cart/estop', '/estop#a'])
    assert.equal(isStop(url), true, url);
  for (const url of ['/estop/reset', '/', '/carts/2', '/%65stop', '//estop'])
    assert.equal(isStop(url), false, url);
  assert.equal(isStop('/estop', 'GET'), false);
});

test('routes that match the same request have the same access rule', () => {
  const routes = policyOf(APIS);
  const samples = routes.map(({ path }) => path.replaceAll(/:\w+|\{\*\w+\}/g, 'x'));
  const literals = [...new Set(routes.flatMap(({ path }) => path.split('/')))].filter(
    (segment) => segment !== '' && !/[:{]/.test(segment),
  );
  const paths = new Set([
    ...samples,
    ...routes.flatMap(({ path }) =>
      path.includes(':') ? literals.map((literal) => path.replaceAll(/:\w+/g, literal)) : [],
    ),
  ]);
  const rule = ({ need, scopes, lan, stopToken }: PolicyEntry): string =>
    JSON.stringify({ need, scopes, lan, stopToken });
  let shared = 0;
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const fitting = routes.filter(
        (route) => route.method === method && new RouteTable([route]).find(method, path).route,
      );
      if (fitting.length > 1) shared += 1;
      assert.equal(new Set(fitting.map(rule)).size <= 1, true, `${method} ${path}`);
    }
  }
  assert.ok(shared > 0, 'no two routes match the same request');
});

test.run();
