import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { APIS } from '../../../src/app/api/apis.js';
import { policyOf } from '../../../src/http/guard/policy.js';
import { type ApiClients, openApiClients } from '../../helpers/api-clients.js';
import { sendOnce } from '../../helpers/raw-socket.js';

/** Tests CSRF, DNS rebinding, session fixation, path traversal and prototype pollution on every route. */
const test = suite('attack: forged requests');

const ROUTES = policyOf(APIS).map(({ method, path }) => ({
  method,
  path: path.replace(/\{?[:*]\w+\}?/g, '1').replace('{1', '1'),
  names: path.match(/:\w+|\{\*\w+\}/g) ?? [],
  pattern: path,
}));
const CHANGES = ROUTES.filter(({ method }) => method !== 'GET');
const FORM = 'a=b';

let clients: ApiClients;
let port = 0;

test.before(async () => {
  clients = await openApiClients();
  port = Number(new URL(clients.gateway.url).port);
});
test.after(async () => {
  assert.equal(await clients.gateway.close(), 0);
});

const FOREIGN_ORIGINS = {
  'another site': () => ({ origin: 'http://evil.example' }),
  'another port of this host': () => ({ origin: 'http://127.0.0.1:1' }),
  'a page without an origin': () => ({ origin: 'null' }),
  'a site whose name starts with that of the gateway': () => ({
    origin: `${clients.gateway.url}.evil.example`,
  }),
  'a link from another site': () => ({ origin: '', referer: 'http://evil.example/?x=http://127.0.0.1' }),
};

for (const [name, headers] of Object.entries(FOREIGN_ORIGINS)) {
  test(`every route that changes state returns 403 for a request from ${name}`, async () => {
    assert.ok(CHANGES.length > 50);
    for (const { method, path } of CHANGES) {
      for (const body of [{}, FORM]) {
        const { status, json } = await clients.admin(method, path, { body, headers: headers() });
        assert.equal(status, 403, `${method} ${path} from ${name}`);
        assert.match(String(json.message), /other websites/);
      }
    }
  });
}

test('a page from another site cannot open the drive socket', async () => {
  const { status } = await clients.operator('GET', '/drive', {
    headers: { origin: 'http://evil.example', connection: 'Upgrade', upgrade: 'websocket' },
  });
  assert.equal(status, 403);
});

test('every route returns 421 for an unknown host name', async () => {
  const names = [
    'evil.example',
    `localhost.evil.example:${port}`,
    '127.0.0.1.evil.example',
    '[::1].evil.example',
    '0x7f.1',
  ];
  for (const { method, path } of ROUTES) {
    for (const host of names) {
      const { status } = await clients.admin(method, path, { headers: { host } });
      assert.equal(status, 421, `${method} ${path} at ${host}`);
    }
  }
});

test('a login replaces a planted session cookie', async () => {
  const planted = `sessie_p${port}=${'A'.repeat(43)}`;
  const body = { username: 'bo', password: 'correct horse battery' };
  const { status, headers } = await clients.anonymous('POST', '/login', {
    body,
    headers: { cookie: planted, origin: clients.gateway.url },
  });
  assert.equal(status, 201);
  const [given = ''] = headers['set-cookie'] ?? [];
  assert.match(given, /^sessie_p\d+=[\w.-]{80,};/);
  assert.ok(!given.startsWith(planted));
  assert.equal((await clients.anonymous('GET', '/carts', { headers: { cookie: planted } })).status, 401);
  const own = given.split(';')[0] ?? '';
  assert.equal((await clients.anonymous('GET', '/carts', { headers: { cookie: own } })).status, 200);
  assert.equal(
    (await clients.anonymous('GET', '/carts', { headers: { cookie: `${planted}; ${own}` } })).status,
    200,
    'the session survives a planted cookie sent before its own',
  );
});

/** Names with a special meaning in file systems, decoders, shells or JavaScript. */
const PATHS = [
  '..%2f..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%2fetc%2fpasswd',
  '..%5c..%5cetc%5cpasswd',
  '%252e%252e%252fetc%252fpasswd',
  '....%2f%2f....%2f%2fetc%2fpasswd',
  '%c0%ae%c0%ae%c0%afetc%c0%afpasswd',
  '..',
  '.',
  '%2e%2e',
  '%00',
  '1%00.jpg',
  '..%00%2fetc%2fpasswd',
  '~root',
  '__proto__',
  'constructor',
  'toString',
  '%24%28id%29',
  '%3bid',
  'CON',
  'a'.repeat(5000),
  '%F0%9F%98%80',
  '*',
  '%7b%7b7*7%7d%7d',
];

test('path parameters with traversal sequences never expose files', async () => {
  const named = ROUTES.filter(({ names }) => names.length > 0);
  assert.ok(named.length > 25);
  for (const { method, pattern } of named) {
    for (const name of PATHS) {
      const path = pattern.replace(/\{\*\w+\}|:\w+/g, name);
      const { status, text } = await clients.admin(method, path, method === 'GET' ? {} : { body: {} });
      assert.ok(status >= 200 && status < 500, `${method} ${path}: ${status}`);
      assert.doesNotMatch(text, /root:|"dependencies"/, `${method} ${path}`);
    }
  }
});

test('unencoded traversal sequences never expose files', async () => {
  for (const folder of ['assets', 'docs', 'black-boxes', 'backups', 'camera/photos', 'map/export']) {
    for (const dots of [
      '../../package.json',
      '..//../package.json',
      './/..//..//package.json',
      '..\\..\\package.json',
    ]) {
      const response = await sendOnce(port, `GET /${folder}/${dots} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      assert.match(response, /^HTTP\/1\.1 40[0145] /, `${folder}/${dots}`);
      assert.doesNotMatch(response, /"dependencies"/);
    }
  }
});

const POLLUTED = [
  '{"__proto__":{"polluted":"yes"}}',
  '{"constructor":{"prototype":{"polluted":"yes"}}}',
  '{"a":{"__proto__":{"polluted":"yes"}},"username":{"__proto__":[]}}',
  '[{"__proto__":{"polluted":"yes"}}]',
  '{"mqtt":{"__proto__":{"host":"evil.example"}},"limits":{"constructor":1}}',
];

test('request bodies, forms and queries cannot pollute a prototype', async () => {
  for (const { method, path } of CHANGES) {
    for (const text of POLLUTED) {
      const headers = { 'content-type': 'application/json' };
      const response = await clients.operator(method, `${path}?__proto__[polluted]=yes`, {
        body: Buffer.from(text),
        headers,
      });
      assert.ok(response.status < 500, `${method} ${path} ${text}: ${response.status} ${response.text}`);
    }
    const form = '__proto__=yes&__proto__[polluted]=yes&constructor[prototype][polluted]=yes&constructor=1';
    const { status } = await clients.operator(method, path, { body: form });
    assert.ok(status < 500, `${method} ${path}: ${status}`);
  }
  for (const { path } of ROUTES.filter(
    ({ method, pattern }) => method === 'GET' && !/stream|events|frame|snapshot/.test(pattern),
  ))
    await clients.operator(
      'GET',
      `${path}?__proto__[polluted]=yes&constructor.prototype.polluted=yes&__proto__=1`,
    );
});

test.run();
