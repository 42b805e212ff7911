import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { RowFault } from '../../../../src/beacons/formats/import.js';
import { type Answer, assertError, idsOf, type TestApp, withTestApp } from '../test-app.js';

const CSV = { 'content-type': 'text/csv' };
const GEO = { 'content-type': 'application/geo+json' };

const ROWS = [
  {
    id: 'beacon-a',
    description: 'A, "the" first',
    longDescription: 'two\r\nlines',
    txPower: -59,
    lat: 51,
    long: 4,
  },
  { id: "'=beacon", description: "'", longDescription: '=SUM(A1)', txPower: 4 },
  { id: '-beacon', description: '', longDescription: "''x\t", lat: -90, long: -180 },
];

const upload = (testApp: TestApp, body: unknown, headers = {}, query = ''): Promise<Answer> =>
  testApp.call('POST', `/beacons/import${query}`, { body, headers });

function faultsOf(answer: Answer): RowFault[] {
  return (answer.json as { faults: RowFault[] }).faults;
}

test(
  'imports an array of beacons, and importing it again changes nothing',
  withTestApp(async (testApp) => {
    const first = await upload(testApp, ROWS);
    assert.equal(first.status, 200);
    assert.deepEqual(first.json, { created: 3, replaced: 0, unchanged: 0 });
    assert.deepEqual((await upload(testApp, ROWS)).json, { created: 0, replaced: 0, unchanged: 3 });
    assert.equal(idsOf(await testApp.call('GET', '/beacons')).length, 3);
    assert.deepEqual((await upload(testApp, [])).json, { created: 0, replaced: 0, unchanged: 0 });
  }),
);

for (const [accept, headers] of [
  ['application/json', {}],
  ['application/geo+json', GEO],
  ['text/csv', CSV],
] as const) {
  test(
    `exporting and importing as ${accept} preserves all beacons`,
    withTestApp(async (testApp) => {
      await upload(testApp, ROWS);
      const before = await testApp.call('GET', '/beacons');
      const { text } = await testApp.call('GET', '/beacons', { headers: { accept } });
      for (const { id } of ROWS) await testApp.call('DELETE', '/beacon', { body: { id } });
      assert.deepEqual((await upload(testApp, text, headers)).json, {
        created: 3,
        replaced: 0,
        unchanged: 0,
      });
      assert.equal((await testApp.call('GET', '/beacons')).text, before.text);
    }),
  );
}

test(
  'lists every error with its row number and imports nothing',
  withTestApp(async (testApp) => {
    const answer = await upload(testApp, [
      { id: 'beacon-1' },
      { id: 'short', lat: 91, long: 0 },
      { id: 'beacon-1' },
      7,
      { id: 'beacon-4', lat: 1 },
    ]);
    assertError(answer, 400, 'INVALID_INPUT');
    assert.deepEqual(
      faultsOf(answer).map(({ row, path }) => [row, path]),
      [
        [2, '/id'],
        [2, '/lat'],
        [3, '/id'],
        [4, ''],
        [5, '/long'],
      ],
    );
    assert.equal((await testApp.call('GET', '/beacons')).text, '[]');
  }),
);

test(
  'returns 409 with the row number of a beacon that differs from the stored one, unless ?upsert=true is set',
  withTestApp(async (testApp) => {
    await testApp.add({ id: 'beacon-2', description: 'old', lat: 1, long: 1 });
    const rows = [{ id: 'beacon-1' }, { id: 'beacon-2', description: 'new' }, { id: 'beacon-3' }];
    const rejected = await upload(testApp, rows);
    assertError(rejected, 409, 'CONFLICT');
    assert.deepEqual(
      faultsOf(rejected).map(({ row }) => row),
      [2],
    );
    assert.deepEqual(idsOf(await testApp.call('GET', '/beacons')), ['beacon-2']);
    assert.deepEqual((await upload(testApp, rows, {}, '?upsert=true')).json, {
      created: 2,
      replaced: 1,
      unchanged: 0,
    });
    assert.deepEqual(idsOf(await testApp.call('GET', '/beacons?near=1,1')), []);
  }),
);

test(
  'an import updates cached beacons',
  withTestApp(async (testApp) => {
    await testApp.add({ id: 'beacon-1' });
    for (let i = 0; i < 2; i += 1) await testApp.call('GET', '/beacon?id=beacon-1');
    await upload(testApp, [{ id: 'beacon-1', description: 'new' }], {}, '?upsert=true');
    const { json } = await testApp.call('GET', '/beacon?id=beacon-1');
    assert.equal((json as { description: string }).description, 'new');
  }),
);

test(
  'CSV import accepts any column order, empty fields and a byte order mark, and requires only the ID',
  withTestApp(async (testApp) => {
    const text = '\uFEFFlong, lat,id\r\n4.5,51,beacon-1\n,,beacon-2\r\n\r\n"-4","5e1","beacon-3"';
    const answer = await upload(testApp, text, CSV);
    assert.equal(answer.status, 200, answer.text);
    const texts = { description: '', longDescription: '' };
    assert.deepEqual((await testApp.call('GET', '/beacons')).json, [
      { id: 'beacon-1', ...texts, lat: 51, long: 4.5 },
      { id: 'beacon-2', ...texts },
      { id: 'beacon-3', ...texts, lat: 50, long: -4 },
    ]);
  }),
);

test(
  'CSV import lists each error with its row, and rejects NaN, hexadecimal and infinite numbers',
  withTestApp(async (testApp) => {
    const rows = [
      'beacon-1,NaN,0',
      'beacon-2,0x10,0',
      'beacon-3,1e999,0',
      'beacon-4,1',
      'beacon-5,1,2',
      'tiny,1,2',
    ];
    const answer = await upload(testApp, ['id,lat,long', ...rows].join('\n'), CSV);
    assertError(answer, 400, 'INVALID_INPUT');
    assert.deepEqual([...new Set(faultsOf(answer).map(({ row }) => row))], [1, 2, 3, 4, 6]);
  }),
);

test(
  'CSV import returns 400 for an invalid header or unbalanced quotes',
  withTestApp(async (testApp) => {
    for (const [text, pattern] of [
      ['', /empty/],
      ['id,colour\n', /"colour" is not a known column/],
      ['id,id\n', /the column id occurs more than once/],
      ['lat,long\n1,2\n', /the id column is missing/],
      ['id\n"beacon-1\n', /cannot be parsed/],
    ] as const) {
      const answer = await upload(testApp, text, CSV);
      assertError(answer, 400, 'INVALID_INPUT', text);
      assert.match((answer.json as { message: string }).message, pattern);
    }
  }),
);

test(
  'GeoJSON import accepts IDs in features or properties and ignores altitudes and foreign members',
  withTestApp(async (testApp) => {
    const point = { type: 'Point', coordinates: [4.5, 51, 12] };
    const body = {
      type: 'FeatureCollection',
      name: 'layer',
      features: [
        { type: 'Feature', id: 'beacon-1', geometry: point, properties: null, bbox: [] },
        { type: 'Feature', geometry: null, properties: { id: 'beacon-2', txPower: -60 } },
      ],
    };
    assert.equal((await upload(testApp, body, GEO)).status, 200);
    const texts = { description: '', longDescription: '' };
    assert.deepEqual((await testApp.call('GET', '/beacons')).json, [
      { id: 'beacon-1', ...texts, lat: 51, long: 4.5 },
      { id: 'beacon-2', ...texts, txPower: -60 },
    ]);
  }),
);

test(
  'GeoJSON import reports the row of each feature that is not a valid beacon',
  withTestApp(async (testApp) => {
    const feature = (more: object): object => ({ type: 'Feature', id: 'beacon-1', geometry: null, ...more });
    const features = [
      feature({ geometry: { type: 'LineString', coordinates: [] } }),
      feature({ geometry: { type: 'Point', coordinates: [4] } }),
      feature({ geometry: { type: 'Point', coordinates: [51, 200] } }),
      feature({ id: 7 }),
      feature({ properties: { lat: 5, long: 5 } }),
      feature({ properties: { colour: 'red' } }),
      feature({ properties: [] }),
      { type: 'Point' },
    ];
    const answer = await upload(testApp, { type: 'FeatureCollection', features }, GEO);
    assertError(answer, 400, 'INVALID_INPUT');
    assert.deepEqual([...new Set(faultsOf(answer).map(({ row }) => row))], [1, 2, 3, 4, 5, 6, 7, 8]);
    assertError(await upload(testApp, { type: 'Feature' }, GEO), 400, 'INVALID_INPUT');
    assertError(await upload(testApp, { type: 'Topology' }, GEO), 400, 'INVALID_INPUT');
  }),
);

test(
  'import lists each error with its beacon and value',
  withTestApp(async (testApp) => {
    const answer = await upload(testApp, 'id,lat,long\nbeacon-1,91,5\nbeacon-2,52,5\nbeacon-2,52,5', CSV);
    const shown = faultsOf(answer).map(({ id, path, value }) => [id, path, value]);
    assert.deepEqual(shown, [
      ['beacon-1', '/lat', '91'],
      ['beacon-2', '/id', 'beacon-2'],
    ]);
  }),
);

test(
  'rejects an import that is not a list, is too long or has an unsupported media type',
  withTestApp(async (testApp) => {
    assertError(await upload(testApp, { name: 'beacon-1' }), 400, 'INVALID_INPUT');
    const many = Array.from({ length: 10_001 }, (_, i) => ({ id: `beacon-${i}` }));
    assertError(await upload(testApp, many), 413, 'TOO_LARGE');
    assertError(await upload(testApp, `id\n${many.map(({ id }) => id).join('\n')}`, CSV), 413, 'TOO_LARGE');
    assertError(await upload(testApp, 'x'.repeat(3_000_000), CSV), 413, 'TOO_LARGE');
    const plain = { 'content-type': 'text/plain' };
    assertError(await upload(testApp, 'id\nbeacon-1', plain), 415, 'UNSUPPORTED_MEDIA_TYPE');
    assertError(await upload(testApp, [], {}, '?upsert=1'), 400, 'INVALID_INPUT');
  }),
);

test.run();
