import assert from 'node:assert/strict';
import { test } from 'uvu';
import { type Call, withTestApp } from '../../access/test-app.js';

const FORM = 'a=b';

test(
  'rejects requests without a session with 401 for programs and a redirect to the login page for browsers',
  withTestApp(async ({ call }) => {
    const { status, json } = await call('GET', '/variables.json');
    assert.deepEqual([status, json.code], [401, 'NOT_LOGGED_IN']);
    const page = await call('GET', '/brokerSettings?a=1', { headers: { accept: 'text/html' } });
    assert.equal(page.status, 303);
    assert.equal(page.headers.location, '/login?next=%2FbrokerSettings%3Fa%3D1');
    assert.equal((await call('POST', '/estop')).status, 401);
    assert.equal((await call('GET', '/beacons')).status, 200);
    assert.equal((await call('GET', '/health')).status, 200);
  }),
);

test(
  'customers can view and stop carts, operators can drive, and administrators can manage users and backups',
  withTestApp(async ({ call, addUser, login }) => {
    const routes: [string, string, number[]][] = [
      ['GET', '/', [200, 200, 200]],
      ['POST', '/carts/1/stop', [200, 200, 200]],
      ['POST', '/estop', [200, 200, 200]],
      ['POST', '/estop/reset', [403, 200, 200]],
      ['POST', '/', [403, 200, 200]],
      ['POST', '/beacon', [403, 200, 200]],
      ['GET', '/variables.json', [403, 200, 200]],
      ['POST', '/backups', [403, 403, 200]],
      ['GET', '/users', [403, 403, 200]],
    ];
    const cookies: string[] = [];
    for (const role of ['customer', 'operator', 'admin'] as const) {
      await addUser(role, role);
      cookies.push(await login(role));
    }
    for (const [method, path, expected] of routes) {
      const statuses: number[] = [];
      for (const cookie of cookies) statuses.push((await call(method, path, { cookie })).status);
      assert.deepEqual(statuses, expected, `${method} ${path}`);
    }
  }),
);

test(
  'rejects undeclared routes and methods, even for administrators',
  withTestApp(async ({ call, addUser, login }) => {
    await addUser('root', 'admin');
    const cookie = await login('root');
    assert.equal((await call('GET', '/unlisted', { cookie })).status, 404);
    assert.equal((await call('OPTIONS', '/estop', { cookie })).status, 405);
    assert.equal((await call('DELETE', '/estop', { cookie })).status, 405);
  }),
);

test(
  'returns 403 for changes requested from other sites',
  withTestApp(async ({ call, addUser, login, port }) => {
    await addUser('olga', 'operator');
    const cookie = await login('olga');
    const own = `http://127.0.0.1:${port}`;
    const status = async (headers: Record<string, string>, body?: Call['body']) =>
      (await call('POST', '/estop/reset', { cookie, headers, ...(body === undefined ? {} : { body }) }))
        .status;
    assert.equal(await status({ origin: own }, FORM), 200);
    assert.equal(await status({ referer: `${own}/brokerSettings` }, FORM), 200);
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1', `${own}.evil.example`, '']) {
      assert.equal(await status({ origin }, FORM), 403, origin);
      assert.equal(await status({ origin }, {}), 403, origin);
    }
    assert.equal(await status({ referer: 'http://evil.example/' }, FORM), 403);
    assert.equal(await status({ 'sec-fetch-site': 'cross-site' }, {}), 403);
    // A form without Origin and Referer headers may come from an old browser; JSON and empty bodies come from
    // programs.
    assert.equal(await status({}, FORM), 403);
    assert.equal(await status({ 'content-type': 'text/plain' }, FORM), 403);
    assert.equal(await status({}, {}), 200);
    assert.equal(await status({}), 200);
    // Login CSRF.
    const login2 = await call('POST', '/login', { body: {}, headers: { origin: 'http://evil.example' } });
    assert.equal(login2.status, 403);
  }),
);

test(
  'returns 405 with an Allow header for a method that the path does not support',
  withTestApp(async ({ call }) => {
    const response = await call('PUT', '/login');
    assert.equal(response.status, 405);
    assert.equal(response.headers.allow, 'GET, POST');
    assert.equal(response.json.code, 'METHOD_NOT_ALLOWED');
    assert.equal((await call('GET', '/nothing-of-that-name')).status, 404);
  }),
);

test(
  'returns 421 for unknown host names, and accepts IP addresses, localhost and configured names',
  withTestApp(async ({ call, port }) => {
    const status = async (host: string) => (await call('GET', '/health', { headers: { host } })).status;
    for (const host of [
      `127.0.0.1:${port}`,
      'localhost:3000',
      '192.168.1.7',
      '[::1]:3000',
      'CART.example.',
    ]) {
      assert.equal(await status(host), 200, host);
    }
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.evil']) {
      assert.equal(await status(host), 421, host);
    }
  }),
);

test(
  'returns 421 for a Host header that cannot be part of a URL',
  withTestApp(async ({ call }) => {
    for (const host of [
      '127.0.0.1:99999',
      'localhost:65536',
      '127.0.0.1:0',
      '127.0.0.1:0x50',
      '::1:80',
      '[::1]:99999',
      '[::1]x',
      '[fe80::1%25eth0]:3600',
      '[fe80::1%eth0]',
      'localhost:3600,evil',
      'evil@127.0.0.1',
      '127.0.0.1/x',
    ]) {
      const { status } = await call('GET', '/health', { headers: { host } });
      assert.equal(status, 421, host);
    }
    for (const host of [
      '[::ffff:127.0.0.1]:1',
      '[0:0:0:0:0:0:0:1]:3000',
      'LOCALHOST.:3600',
      '127.0.0.1:80',
    ]) {
      const { status } = await call('GET', '/health', { headers: { host } });
      assert.equal(status, 200, host);
    }
  }),
);

test(
  'sets the security headers on every response, including errors',
  withTestApp(async ({ call, addUser, login }) => {
    await addUser('anna');
    const cookie = await login('anna');
    const responses = [
      await call('GET', '/login'),
      await call('GET', '/variables.json'),
      await call('GET', '/', { cookie }),
      await call('GET', '/nowhere'),
    ];
    for (const { headers } of responses) {
      assert.match(String(headers['content-security-policy']), /default-src 'none'; script-src 'self'/);
      assert.ok(!String(headers['content-security-policy']).includes('unsafe'));
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.equal(headers['referrer-policy'], 'same-origin');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
  }),
);

test(
  'clients on a trusted network can use only the routes that the policy permits',
  withTestApp(
    async ({ call, log }) => {
      assert.ok(log.events().includes('access.trusted_lan_enabled'));
      const status = async (method: string, path: string, headers: Record<string, string> = {}) =>
        (await call(method, path, { headers })).status;
      for (const [method, path] of [
        ['GET', '/'],
        ['POST', '/'],
        ['GET', '/variables.json'],
        ['POST', '/payments'],
        ['POST', '/beacon'],
      ] as const) {
        assert.equal(await status(method, path), 200, path);
      }
      assert.equal(await status('POST', '/backups'), 401);
      assert.equal(await status('GET', '/users'), 401);
      assert.equal(await status('PATCH', '/payments/updateStatus/completed/o-1'), 401);
      assert.equal(await status('GET', '/account'), 401);
      for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded']) {
        assert.equal(await status('GET', '/variables.json', { [name]: '127.0.0.1' }), 401, name);
      }
      assert.equal(await status('POST', '/', { 'x-api-key': 'gk_wrong' }), 401);
      assert.equal(await status('POST', '/', { origin: 'http://evil.example' }), 403);
    },
    { mode: 'trusted-lan' },
  ),
);

test.run();
