import assert from 'node:assert/strict';
import { test } from 'uvu';
import { SCOPES } from '../../../../src/access/schema.js';
import { userActor } from '../../../../src/shared/actor.js';
import { type TestApp, withTestApp } from '../test-app.js';

async function newKey(
  testApp: TestApp,
  name: string,
  scopes: string[],
): Promise<{ keyId: number; key: string }> {
  return testApp.access.keys.add({ name, scopes }, userActor('test'));
}

test(
  'shows an API key once, stores only its hash and permits only the actions in its scopes',
  withTestApp(async ({ call, addUser, login, store }) => {
    await addUser('root', 'admin');
    const cookie = await login('root');
    const body = { name: 'scanner', scopes: ['beacons:write'] };
    const made = await call('POST', '/keys', { body, cookie });
    assert.equal(made.status, 201);
    const key = String(made.json.key);
    assert.match(key, /^gk_[0-9a-f]{8}_[\w-]{43}$/);
    assert.ok(!(await call('GET', '/keys', { cookie })).text.includes(key.slice(12)));
    const row = store.read
      .prepare<{ length: number }>('SELECT length(key_hash) AS length FROM api_keys')
      .get();
    assert.equal(row?.length, 32);
    for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }]) {
      assert.equal((await call('POST', '/beacon', { headers })).status, 200);
      const refused = await call('GET', '/variables.json', { headers });
      assert.deepEqual([refused.status, refused.json.code], [403, 'FORBIDDEN']);
    }
    assert.equal((await call('POST', `/beacon?api_key=${key}&key=${key}`)).status, 401);
  }),
);

test(
  'a key with the cart:read scope reads the event stream, but cannot drive, stop or reset a cart',
  withTestApp(async (testApp) => {
    const { key } = await newKey(testApp, 'reader', ['cart:read']);
    const headers = { 'x-api-key': key };
    assert.equal((await testApp.call('GET', '/events', { headers })).status, 200);
    for (const path of ['/', '/carts/1/stop', '/estop', '/estop/reset', '/updateJson']) {
      assert.equal((await testApp.call('POST', path, { headers })).status, 403, path);
    }
  }),
);

test('rejects a revoked API key immediately', async () => {
  await withTestApp(async (testApp) => {
    const { key, keyId } = await newKey(testApp, 'robot', ['cart:control']);
    const headers = { 'x-api-key': key };
    assert.equal((await testApp.call('POST', '/', { headers })).status, 200);
    await testApp.access.keys.revoke(keyId, userActor('test'));
    assert.equal((await testApp.call('POST', '/', { headers })).status, 401);
  })();
});

test('rejects an invalid API key even if the cookie is valid', async () => {
  await withTestApp(async (testApp) => {
    await testApp.addUser('olga', 'operator');
    const cookie = await testApp.login('olga');
    const bad = { 'x-api-key': `gk_00000000_${'A'.repeat(43)}` };
    assert.equal((await testApp.call('POST', '/', { headers: bad, cookie })).status, 401);
  })();
});

test('accepts an API key from any origin', async () => {
  await withTestApp(async (testApp) => {
    const { key } = await newKey(testApp, 'robot', ['cart:control']);
    const headers = { 'x-api-key': key, origin: 'http://elsewhere.example' };
    assert.equal((await testApp.call('POST', '/', { headers, body: 'a=b' })).status, 200);
  })();
});

test(
  'rejects the creation of a key that has no name, a duplicate name or an unknown scope',
  withTestApp(async ({ call, addUser, login }) => {
    await addUser('root', 'admin');
    const cookie = await login('root');
    const add = async (body: object) => (await call('POST', '/keys', { body, cookie })).status;
    assert.equal(await add({ name: 'a', scopes: ['mqtt', 'mqtt:cart:7'] }), 201);
    assert.equal(await add({ name: 'a', scopes: ['mqtt'] }), 409);
    for (const body of [
      { scopes: ['mqtt'] },
      { name: 'b', scopes: [] },
      { name: 'b', scopes: ['everything'] },
      { name: 'b', scopes: ['mqtt:cart:0'] },
    ]) {
      assert.equal(await add(body), 400, JSON.stringify(body));
    }
    assert.equal((await call('DELETE', '/keys/99', { cookie })).status, 404);
  }),
);

const HTML = { accept: 'text/html' };

test(
  'GET /keys returns a page to browsers and JSON to programs, and is restricted to administrators',
  withTestApp(async ({ call, addUser, login }) => {
    await addUser('root', 'admin');
    await addUser('olga', 'operator');
    const cookie = await login('root');
    await call('POST', '/keys', { body: { name: 'scanner', scopes: ['beacons:write'] }, cookie });
    const page = await call('GET', '/keys', { cookie, headers: HTML });
    assert.match(String(page.headers['content-type']), /^text\/html/);
    for (const text of ['scanner', 'beacons:write', 'Last used: never', 'Expires: never', 'Create key']) {
      assert.ok(page.text.includes(text), text);
    }
    const list = await call('GET', '/keys', { cookie });
    assert.deepEqual((list.json as unknown as { name: string }[])[0]?.name, 'scanner');
    assert.equal((await call('GET', '/keys', { cookie: await login('olga'), headers: HTML })).status, 403);
  }),
);

test(
  'creates and revokes keys with forms, shows a secret once, and keeps the input after an error',
  withTestApp(async ({ call, addUser, login, port }) => {
    await addUser('root', 'admin');
    const cookie = await login('root');
    const headers = { ...HTML, origin: `http://127.0.0.1:${port}` };
    const made = await call('POST', '/keys', {
      body: 'name=hall&scopes=mqtt&cart=7&expiresInDays=30',
      cookie,
      headers,
    });
    const [key = ''] = /gk_[0-9a-f]{8}_[\w-]{43}/.exec(made.text) ?? [];
    assert.deepEqual([made.status, key.length], [201, 55]);
    const page = await call('GET', '/keys', { cookie, headers: HTML });
    assert.ok(!page.text.includes(key) && page.text.includes('mqtt, mqtt:cart:7'));

    const bad = await call('POST', '/keys', { body: 'name=gate', cookie, headers });
    assert.equal(bad.status, 400);
    assert.match(bad.text, /Select at least one permission\./);
    assert.match(
      bad.text,
      /<legend>Permissions<\/legend>[\s\S]*?class="error">Select at least one permission<\/p>/,
    );
    assert.ok(bad.text.includes('value="gate"'));

    const [, action = ''] = /action="(\/keys\/\d+\/revoke)"/.exec(page.text) ?? [];
    const revoked = await call('POST', action, { body: '', cookie, headers });
    assert.deepEqual([revoked.status, revoked.headers.location], [303, '/keys?done=key-revoked']);
    assert.equal((await call('GET', '/carts', { headers: { 'x-api-key': key } })).status, 401);
  }),
);

test('rejects an API key as soon as it expires', async () => {
  await withTestApp(async (testApp) => {
    const body = { name: 'robot', scopes: ['cart:control'], expiresInDays: 30 };
    const { key, keyId } = await testApp.access.keys.add(body, userActor('test'));
    const headers = { 'x-api-key': key };
    testApp.clock.advance(30 * 86_400_000 - 1);
    assert.equal((await testApp.call('POST', '/', { headers })).status, 200);
    assert.equal(testApp.access.keys.isGood(keyId), true);
    testApp.clock.advance(1);
    assert.equal((await testApp.call('POST', '/', { headers })).status, 401);
    assert.equal(testApp.access.keys.isGood(keyId), false);
  })();
});

test(
  'the form for a new key offers each scope exactly once',
  withTestApp(async ({ call, addUser, login }) => {
    await addUser('root', 'admin');
    const page = await call('GET', '/keys', { cookie: await login('root'), headers: HTML });
    const offered = [...page.text.matchAll(/name="scopes" value="([^"]+)"/g)].map(([, scope = '']) => scope);
    assert.deepEqual(offered.toSorted(), SCOPES.toSorted());
  }),
);

test(
  'the form for a new key groups the scopes by purpose and keeps the selected scopes after an error',
  withTestApp(async ({ call, addUser, login, port }) => {
    await addUser('root', 'admin');
    const failed = await call('POST', '/keys', {
      body: 'name=&scopes=orders:read&scopes=mqtt',
      cookie: await login('root'),
      headers: { ...HTML, origin: `http://127.0.0.1:${port}` },
    });
    assert.equal(failed.status, 400);
    const [, ...groups] = failed.text.split('<fieldset class="scopes">');
    assert.deepEqual(
      groups.map((group) => [
        /<legend>(.*?)<\/legend>/.exec(group)?.[1],
        [...group.matchAll(/value="([^"]+)" checked/g)].map(([, scope]) => scope),
      ]),
      [
        ['Carts and camera', []],
        ['Setup and monitoring', []],
        ['Shop', ['orders:read']],
        ['MQTT', ['mqtt']],
      ],
    );
  }),
);

/** Creates a key with the form. Returns the key and the example that the page shows, without HTML escapes. */
async function exampleFor(
  { call }: TestApp,
  cookie: string,
  scope: string,
): Promise<{ key: string; example: string }> {
  const headers = { accept: 'text/html', host: 'cart.example:3000', origin: 'http://cart.example:3000' };
  const { text } = await call('POST', '/keys', { body: `name=${scope}&scopes=${scope}`, cookie, headers });
  const key = /gk_[0-9a-f]{8}_[\w-]{43}/.exec(text)?.[0];
  assert.ok(key, text);
  const example = /data-new-example><code>([^<]*)</.exec(text)?.[1] ?? '';
  return { key, example: example.replaceAll('&quot;', '"').replaceAll('&#x2F;', '/') };
}

test(
  "a new key's page shows a request that the key is allowed to send",
  withTestApp(async (testApp) => {
    await testApp.addUser('root', 'admin');
    const cookie = await testApp.login('root');
    const reading = SCOPES.filter((scope) => !/^mqtt|^(games|beacons):|^payments:write$/.test(scope));
    for (const scope of reading) {
      const { key, example } = await exampleFor(testApp, cookie, scope);
      const [, sent, path = ''] =
        /^curl -H "X-Api-Key: (\S+)" (?:-o photo\.jpg )?http:\/\/cart\.example:3000(\S+)$/.exec(example) ??
        [];
      assert.equal(sent, key, `${scope}: ${example}`);
      assert.equal((await testApp.call('GET', path)).status, 401, `${path} requires a key`);
      const { status } = await testApp.call('GET', path, { headers: { 'x-api-key': key } });
      assert.ok(![401, 403].includes(status), `${scope}: ${path} returned ${status}`);
    }
  }),
);

test(
  "a new key's page does not show an example when the key does not permit reading",
  withTestApp(async (testApp) => {
    await testApp.addUser('root', 'admin');
    const cookie = await testApp.login('root');
    assert.equal((await exampleFor(testApp, cookie, 'beacons:write')).example, '');
  }),
);

test(
  'the API keys page shows how to use a key and links to the API documentation',
  withTestApp(async ({ call, addUser, login }) => {
    await addUser('root', 'admin');
    const cookie = await login('root');
    const { text } = await call('GET', '/keys', { cookie, headers: { accept: 'text/html' } });
    assert.match(text, /curl -H &quot;X-Api-Key: \$KEY&quot; http:&#x2F;&#x2F;[\w.:]+&#x2F;carts</);
    assert.match(text, /<a href="\/docs">API documentation<\/a>/);
  }),
);

test.run();
