import assert from 'node:assert/strict';
import { test } from 'uvu';
import { escapeFormula, unescapeFormula } from '../../../../src/beacons/formats/formats.js';
import { assertError, idsOf, withTestApp } from '../test-app.js';

const FIJI = { id: 'fiji-west', lat: -17, long: 179.9 };
const FIJI_EAST = { id: 'fiji-east', lat: -17, long: -179.9 };
const DATE_LINE = { id: 'date-line', lat: -17.001, long: 180 };
const POLE = { id: 'north-pole', lat: 90, long: 12 };
const NEAR_POLE = { id: 'near-the-pole', lat: 89.999, long: -168 };
const HOME = { id: 'rotterdam', lat: 51.92, long: 4.48, txPower: -59 };
const NOWHERE = { id: 'unplaced' };

const ALL = [FIJI, FIJI_EAST, DATE_LINE, POLE, NEAR_POLE, HOME, NOWHERE];

test(
  'GET /beacons returns an array sorted by ID, or an empty array when there are no beacons',
  withTestApp(async ({ call, add }) => {
    const none = await call('GET', '/beacons');
    assert.deepEqual([none.status, none.text], [200, '[]']);
    await add(...ALL);
    const all = await call('GET', '/beacons');
    assert.deepEqual(idsOf(all), ALL.map(({ id }) => id).toSorted());
    assert.equal(all.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(Object.keys((all.json as object[])[5] ?? {}), [
      'id',
      'description',
      'longDescription',
      'txPower',
      'lat',
      'long',
    ]);
  }),
);

test(
  'the list contains every acknowledged change',
  withTestApp(async ({ call }) => {
    for (let i = 0; i < 5; i += 1) {
      await call('POST', '/beacon', { body: { id: `beacon-${i}` } });
      const [one, other] = await Promise.all([call('GET', '/beacons'), call('GET', '/beacons')]);
      assert.equal(idsOf(one).length, i + 1);
      assert.equal(other.text, one.text);
    }
    await call('DELETE', '/beacon?id=beacon-3');
    assert.deepEqual(idsOf(await call('GET', '/beacons')), ['beacon-0', 'beacon-1', 'beacon-2', 'beacon-4']);
  }),
);

test(
  'returns 304 for a matching If-None-Match header until a beacon changes',
  withTestApp(async ({ call, add }) => {
    await add(HOME);
    for (const [path, accept] of [
      ['/beacons', '*/*'],
      ['/beacons', 'text/csv'],
      ['/beacons?near=52,4', '*/*'],
    ] as const) {
      const { etag = '' } = (await call('GET', path, { headers: { accept } })).headers;
      for (const known of [etag, `"other", ${etag}`, '*', `W/${etag.replace('W/', '')}`]) {
        const again = await call('GET', path, { headers: { accept, 'if-none-match': known } });
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag], known);
      }
      await call('POST', '/beacon?upsert=true', { body: { ...HOME, description: path + accept } });
      const changed = await call('GET', path, { headers: { accept, 'if-none-match': etag } });
      assert.equal(changed.status, 200);
    }
  }),
);

test(
  'a POST that changes nothing does not change the ETag',
  withTestApp(async ({ call, add }) => {
    await add(HOME);
    const { etag = '' } = (await call('GET', '/beacons')).headers;
    assert.equal((await call('POST', '/beacon', { body: HOME })).status, 200);
    assert.equal((await call('GET', '/beacons', { headers: { 'if-none-match': etag } })).status, 304);
  }),
);

test(
  'returns GeoJSON as a FeatureCollection of [longitude, latitude] points',
  withTestApp(async ({ call, add }) => {
    await add(HOME, NOWHERE);
    const answer = await call('GET', '/beacons', { headers: { accept: 'application/geo+json' } });
    assert.equal(answer.headers['content-type'], 'application/geo+json; charset=utf-8');
    const texts = { description: '', longDescription: '' };
    assert.deepEqual(answer.json, {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'rotterdam',
          geometry: { type: 'Point', coordinates: [4.48, 51.92] },
          properties: { ...texts, txPower: -59 },
        },
        { type: 'Feature', id: 'unplaced', geometry: null, properties: texts },
      ],
    });
  }),
);

test(
  'returns CSV with a header, CRLF line endings, quotes where necessary and escaped formulas',
  withTestApp(async ({ call, add }) => {
    await add(
      { ...HOME, description: 'a "b", c', longDescription: 'two\r\nlines' },
      { id: '=1+1+1', description: '@cmd', longDescription: "'quoted" },
    );
    const answer = await call('GET', '/beacons', { headers: { accept: 'text/csv' } });
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.equal(
      answer.text,
      'id,description,longDescription,txPower,lat,long\r\n' +
        "'=1+1+1,'@cmd,''quoted,,,\r\n" +
        'rotterdam,"a ""b"", c","two\r\nlines",-59,51.92,4.48\r\n',
    );
  }),
);

test('formulas that CSV export has escaped can be restored exactly', () => {
  const invisible = [
    '',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '\u2060',
    ' ',
    '\t',
    '\r',
    '\n',
    '\u00a0\u200b',
    '\u0000',
  ];
  const starts = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'];
  for (const start of [...starts, "'", 'a', '\u00e9'].flatMap((one) =>
    invisible.map((before) => before + one),
  )) {
    const text = `${start}1+1`;
    for (const wanted of [text, `'${text}`, `''${text}`])
      assert.equal(unescapeFormula(escapeFormula(wanted)), wanted);
    if (starts.some((one) => start.endsWith(one))) assert.equal(escapeFormula(text), `'${text}`);
  }
  assert.equal(escapeFormula('plain, \uff1d'), 'plain, \uff1d');
});

test(
  'preserves strings that start with invisible or full-width characters in CSV export and import',
  withTestApp(async ({ call, add }) => {
    const odd = { ...HOME, description: '\uff1dcmd()', longDescription: '\u00a0=1+1' };
    const other = { ...HOME, id: 'delfter', description: '\u200b=1', longDescription: "'\ufeff@x" };
    await add(odd, other);
    const { text } = await call('GET', '/beacons', { headers: { accept: 'text/csv' } });
    for (const cell of ["'\uff1dcmd()", "'\u00a0=1+1", "'\u200b=1"]) assert.ok(text.includes(cell), text);
    const before = (await call('GET', '/beacons')).json;
    for (const { id } of [odd, other]) await call('DELETE', `/beacon?id=${id}`);
    const headers = { 'content-type': 'text/csv' };
    assert.equal((await call('POST', '/beacons/import', { body: text, headers })).status, 200);
    const { json } = await call('GET', '/beacons');
    assert.deepEqual(json, before);
  }),
);

test(
  'returns JSON when the Accept header requests neither CSV nor GeoJSON',
  withTestApp(async ({ call, add }) => {
    await add(HOME);
    for (const accept of [
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'image/png',
      'application/json;q=0.5',
    ]) {
      const { headers } = await call('GET', '/beacons', { headers: { accept } });
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    }
  }),
);

test(
  'the near query returns the nearest beacons first, across the antimeridian and a pole',
  withTestApp(async ({ call, add }) => {
    await add(...ALL);
    const near = async (query: string): Promise<string[]> =>
      idsOf(await call('GET', `/beacons?near=${query}`));
    assert.deepEqual(await near('-17,179.95&limit=3'), ['fiji-west', 'date-line', 'fiji-east']);
    assert.deepEqual(await near('-17,-179.95&limit=2'), ['fiji-east', 'date-line']);
    assert.deepEqual(await near('89.9995,12&limit=2'), ['north-pole', 'near-the-pole']);
    assert.deepEqual(await near('89.9993,-168&limit=1'), ['near-the-pole']);
    assert.deepEqual((await near('52,4')).length, 6);
    assert.equal((await near('52,4'))[0], 'rotterdam');
    const csv = await call('GET', '/beacons?near=52,4&limit=1', { headers: { accept: 'text/csv' } });
    assert.match(csv.text, /^id,.*\r\nrotterdam,,,-59,51.92,4.48\r\n$/);
  }),
);

test(
  'the bbox query accepts west,south,east,north and can cross the antimeridian',
  withTestApp(async ({ call, add }) => {
    await add(...ALL);
    const box = async (query: string): Promise<string[]> =>
      idsOf(await call('GET', `/beacons?bbox=${query}`));
    const placed = ALL.filter((beacon) => 'lat' in beacon).map(({ id }) => id);
    assert.deepEqual(await box('4,51,5,52'), ['rotterdam']);
    assert.deepEqual(await box('4.48,51.92,4.48,51.92'), ['rotterdam']);
    assert.deepEqual(await box('4.4800001,51,5,52'), []);
    assert.deepEqual(await box('179,-18,-179,-16'), ['fiji-west', 'fiji-east', 'date-line']);
    assert.deepEqual(await box('-180,-90,180,90'), placed);
    assert.deepEqual(await box('-180,89,180,90'), ['north-pole', 'near-the-pole']);
  }),
);

test(
  'returns pages sorted by ID, starting after the ID in `after`, and an empty page at the end',
  withTestApp(async ({ call, add }) => {
    await add(...ALL);
    const ids: string[] = [];
    for (let after = '', page = ['']; page.length > 0; after = page.at(-1) ?? '') {
      page = idsOf(await call('GET', `/beacons?after=${after}&limit=3`));
      assert.ok(page.length <= 3);
      ids.push(...page);
    }
    assert.deepEqual(ids, ALL.map(({ id }) => id).toSorted());
    assert.deepEqual(idsOf(await call('GET', '/beacons?limit=2')), ids.slice(0, 2));
    assert.deepEqual(idsOf(await call('GET', '/beacons?after=fiji-')), ids.slice(1));
  }),
);

test(
  'GET /beacons returns 400 for an invalid query',
  withTestApp(async ({ call }) => {
    for (const query of [
      'near=91,0',
      'near=0,181',
      'near=NaN,0',
      'near=1',
      'near=1,2,3',
      'near=',
      'near=1e3,0',
      'near=1,2&near=3,4',
      'near=1,2&limit=0',
      'near=1,2&limit=101',
      'near=1,2&limit=-1',
      'near=1,2&limit=1.5',
      'near=1,2&bbox=1,2,3,4',
      'near=1,2&after=abcdef',
      'bbox=1,2,3',
      'bbox=0,5,1,4',
      'bbox=-181,0,0,1',
      'bbox=0,0,1,91',
      'bbox=a,b,c,d',
      'limit=ten',
      'after=abcdef&limit=1&limit=2',
    ]) {
      assertError(await call('GET', `/beacons?${query}`), 400, 'INVALID_INPUT', query);
    }
  }),
);

test(
  'streams lists larger than the cache limit completely and in order, in every format',
  withTestApp(async ({ call, add }) => {
    const ids = Array.from({ length: 10_000 }, (_, i) => `beacon-${String(i).padStart(5, '0')}`);
    await add(...ids.map((id) => ({ id })));
    const cached = await call('GET', '/beacons');
    assert.ok(cached.headers['content-length']);
    await add({ id: 'the-last-one', lat: 1, long: 2 });
    const streamed = await call('GET', '/beacons');
    assert.equal(streamed.headers['transfer-encoding'], 'chunked');
    assert.deepEqual(idsOf(streamed), [...ids, 'the-last-one']);
    const { etag = '' } = streamed.headers;
    assert.equal((await call('GET', '/beacons', { headers: { 'if-none-match': etag } })).status, 304);
    const csv = await call('GET', '/beacons', { headers: { accept: 'text/csv' } });
    assert.equal(csv.text.split('\r\n').length, 10_003);
    const geo = await call('GET', '/beacons', { headers: { accept: 'application/geo+json' } });
    assert.equal((geo.json as { features: unknown[] }).features.length, 10_001);
    const head = await call('HEAD', '/beacons');
    assert.deepEqual([head.status, head.text], [200, '']);
  }),
);

test(
  'rejects a bounding box that contains more than 10,000 beacons',
  withTestApp(async ({ call, beacons }) => {
    const row = (i: number) => ({ value: { id: `beacon-${i}`, lat: i / 1000, long: 5 } });
    await beacons.importMany(
      Array.from({ length: 10_000 }, (_, i) => row(i)),
      { upsert: false },
    );
    assert.equal(idsOf(await call('GET', '/beacons?bbox=4,-1,6,20')).length, 10_000);
    await beacons.importMany([row(10_000)], { upsert: false });
    assertError(await call('GET', '/beacons?bbox=4,-1,6,20'), 400, 'RANGE');
  }),
);

test.run();
