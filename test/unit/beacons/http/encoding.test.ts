import assert from 'node:assert/strict';
import { test } from 'uvu';
import { toStored } from '../../../../src/beacons/registry/schema.js';
import { assertError, type TestApp, withTestApp } from '../test-app.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const GEO = { 'content-type': 'application/geo+json' };
const CSV = { 'content-type': 'text/csv' };
/** `é` in Latin-1 and Windows-1252. */
const LATIN1_E = '\xe9';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const count = async (testApp: TestApp): Promise<number> =>
  ((await testApp.call('GET', '/beacons')).json as unknown[]).length;

const feature = `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":{"id":"hall-caf${LATIN1_E}"}}]}`;
const long = ' '.repeat(20_000);
for (const [name, method, path, text, headers] of [
  ['a JSON body', 'POST', '/beacon', `{"id":"caf${LATIN1_E}-02x"}`, JSON_TYPE],
  ['a long JSON body', 'POST', '/beacon', `{"id":"caf${LATIN1_E}-02x"}${long}`, JSON_TYPE],
  ['the body of PUT', 'PUT', '/beacon/hall-0001', `{"description":"Caf${LATIN1_E}"}`, JSON_TYPE],
  ['the body of DELETE', 'DELETE', '/beacon', `{"id":"caf${LATIN1_E}-02x"}`, JSON_TYPE],
  ['a JSON import', 'POST', '/beacons/import', `[{"id":"caf${LATIN1_E}-02x"}]`, JSON_TYPE],
  ['a GeoJSON import', 'POST', '/beacons/import', feature, GEO],
  ['a CSV import', 'POST', '/beacons/import', `id\nhall-caf${LATIN1_E}\n`, CSV],
] as const) {
  test(
    `rejects ${name} that is not UTF-8`,
    withTestApp(async (testApp) => {
      const answer = await testApp.call(method, path, { body: latin1(text), headers });
      assertError(answer, 400, 'INVALID_INPUT');
      assert.match(answer.text, /not valid UTF-8/);
      assert.match(answer.text, /"hint":"[^"]*UTF-8/);
      assert.equal(await count(testApp), 0);
    }),
  );
}

test(
  'rejects a query whose percent-encoded bytes are not UTF-8',
  withTestApp(async (testApp) => {
    await testApp.add({ id: 'caf\uFFFD-02x' });
    assertError(await testApp.call('DELETE', '/beacon?id=caf%E9-02x'), 400, 'INVALID_INPUT');
    assert.equal(await count(testApp), 1);
  }),
);

test(
  'stores the replacement character if a client sends it',
  withTestApp(async (testApp) => {
    const { status, text } = await testApp.call('GET', '/beacons', { headers: { accept: 'text/csv' } });
    assert.equal(status, 200);
    await testApp.add({ id: 'hall-0001', description: 'caf\uFFFD' });
    const exported = await testApp.call('GET', '/beacons', { headers: { accept: 'text/csv' } });
    assert.notEqual(exported.text, text);
    const back = await testApp.call('POST', '/beacons/import', { body: exported.text, headers: CSV });
    assert.deepEqual(back.json, { created: 0, replaced: 0, unchanged: 1 });
  }),
);

for (const charset of ['utf8', 'UTF8', '"utf8"', 'utf-8']) {
  test(
    `accepts the charset ${charset}`,
    withTestApp(async (testApp) => {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      assert.equal(
        (await testApp.call('POST', '/beacon', { body: { id: 'café-02x' }, headers })).status,
        200,
      );
      assert.equal((await testApp.call('GET', '/beacon?id=caf%C3%A9-02x')).status, 200);
    }),
  );
}

for (const [way, add] of [
  ['a JSON body', (app: TestApp) => app.call('POST', '/beacon', { body: { id: ' hall-0001\t' } })],
  ['a path', (app: TestApp) => app.call('PUT', '/beacon/%20hall-0001%20', { body: {} })],
  ['a JSON import', (app: TestApp) => app.call('POST', '/beacons/import', { body: [{ id: '  hall-0001' }] })],
  [
    'a GeoJSON import',
    (app: TestApp) => {
      const properties = { id: 'hall-0001\u00a0' };
      const features = [{ type: 'Feature', geometry: null, properties }];
      return app.call('POST', '/beacons/import', {
        body: { type: 'FeatureCollection', features },
        headers: GEO,
      });
    },
  ],
  [
    'a CSV import',
    (app: TestApp) =>
      app.call('POST', '/beacons/import', { body: 'id , txPower\n hall-0001 ,-59\n', headers: CSV }),
  ],
] as const) {
  test(
    `removes spaces around an ID in ${way}`,
    withTestApp(async (testApp) => {
      assert.equal((await add(testApp)).status, 200);
      assert.equal((await testApp.call('GET', '/beacon?id=hall-0001')).status, 200);
      const observed = await testApp.call('POST', '/beacons/observed', {
        body: [
          { id: 'hall-0001', rssi: -60 },
          { id: ' hall-0001 ', rssi: -62 },
        ],
      });
      assert.match(observed.text, /"id":"hall-0001","samples":2/);
      assert.equal((await testApp.call('DELETE', '/beacon?id=%20hall-0001%20')).status, 200);
    }),
  );
}

test(
  'rejects two rows of an import whose IDs differ only in the spaces around them',
  withTestApp(async (testApp) => {
    const body = [{ id: 'hall-0001' }, { id: ' hall-0001' }];
    assertError(await testApp.call('POST', '/beacons/import', { body }), 400, 'INVALID_INPUT');
  }),
);

for (const id of ['hall 0001', 'hall\n0001', 'hall\u00000001', 'hall\u200500001', '      ', ' hall1 ']) {
  test(
    `rejects a new beacon with the ID ${JSON.stringify(id)}`,
    withTestApp(async (testApp) => {
      assertError(await testApp.call('POST', '/beacon', { body: { id } }), 400, 'INVALID_INPUT');
      assertError(await testApp.call('POST', '/beacons/import', { body: [{ id }] }), 400, 'INVALID_INPUT');
    }),
  );
}

for (const id of [' hall-0001 ', 'hall 0001']) {
  test(
    `keeps the ID ${JSON.stringify(id)} that an earlier version registered`,
    withTestApp(async (testApp) => {
      const json = JSON.stringify({ id, description: '', longDescription: '' });
      await testApp.store.write('beacons.create', { ...toStored(JSON.parse(json)), upsert: false });
      const path = `/beacon?id=${encodeURIComponent(id)}`;
      assert.deepEqual(JSON.parse((await testApp.call('GET', path)).text), JSON.parse(json));
      const changed = await testApp.call('PUT', `/beacon/${encodeURIComponent(id)}`, {
        body: { description: 'Door' },
      });
      assert.match(changed.text, /Door/);
      const { text } = await testApp.call('GET', '/beacons', { headers: { accept: 'text/csv' } });
      const back = await testApp.call('POST', '/beacons/import', { body: text, headers: CSV });
      assert.deepEqual(back.json, { created: 0, replaced: 0, unchanged: 1 });
      assert.equal((await testApp.call('DELETE', path)).status, 200);
      assert.equal(await count(testApp), 0);
    }),
  );
}

test(
  'reports the cause when the query contains the ID twice',
  withTestApp(async (testApp) => {
    const answer = await testApp.call('GET', '/beacon?id=hall-0001&id=hall-0002');
    assertError(answer, 400, 'INVALID_INPUT');
    assert.match(answer.text, /id is specified more than once/);
  }),
);

test.run();
