import assert from 'node:assert/strict';
import { test } from 'uvu';
import { assertError, withTestApp } from '../test-app.js';

const DOOR = {
  id: 'beacon-door',
  description: 'Door',
  longDescription: 'North door, above the frame',
  txPower: -59,
  lat: 51.9244201,
  long: 4.4777325,
};

test(
  'POST and GET return a beacon with only its six fields',
  withTestApp(async ({ call }) => {
    const posted = await call('POST', '/beacon', { body: DOOR });
    assert.equal(posted.status, 200);
    assert.equal(posted.text, JSON.stringify(DOOR));
    const got = await call('GET', '/beacon?id=beacon-door');
    assert.equal(got.status, 200);
    assert.equal(got.text, JSON.stringify(DOOR));
    assert.equal(got.headers['content-type'], 'application/json; charset=utf-8');
    // The second response is served from the cache.
    assert.equal((await call('GET', '/beacon?id=beacon-door')).text, got.text);
  }),
);

test(
  'GET accepts the ID in a JSON body, but the query takes precedence',
  withTestApp(async ({ call, add }) => {
    await add(DOOR, { id: 'beacon-two' });
    assert.deepEqual((await call('GET', '/beacon', { body: { id: DOOR.id } })).json, DOOR);
    const both = await call('GET', '/beacon?id=beacon-two', { body: { id: DOOR.id } });
    assert.equal((both.json as { id: string }).id, 'beacon-two');
  }),
);

test(
  'requires only the ID, stores missing strings as empty strings and omits missing numbers',
  withTestApp(async ({ call }) => {
    const bare = { id: 'abcdef', description: '', longDescription: '' };
    assert.deepEqual((await call('POST', '/beacon', { body: { id: 'abcdef' } })).json, bare);
    assert.deepEqual((await call('GET', '/beacon?id=abcdef')).json, bare);
    assert.deepEqual((await call('GET', '/beacons')).json, [bare]);
  }),
);

test(
  'accepts only IDs of 6 to 19 code points',
  withTestApp(async ({ call }) => {
    for (const id of ['123456', '1234567890123456789', '🛒🛒🛒🛒🛒🛒', '🛒'.repeat(19), 'a_b&c=d+%/?"']) {
      assert.equal((await call('POST', '/beacon', { body: { id } })).status, 200, id);
      const got = await call('GET', `/beacon?id=${encodeURIComponent(id)}`);
      assert.equal((got.json as { id: string }).id, id);
    }
    for (const id of ['12345', '12345678901234567890', '🛒🛒🛒🛒🛒', '🛒'.repeat(20), '']) {
      assertError(await call('POST', '/beacon', { body: { id } }), 400, 'INVALID_INPUT');
      assertError(await call('GET', `/beacon?id=${encodeURIComponent(id)}`), 400, 'INVALID_INPUT');
      assertError(await call('DELETE', `/beacon?id=${encodeURIComponent(id)}`), 400, 'INVALID_INPUT');
      assertError(await call('DELETE', '/beacon', { body: { id } }), 400, 'INVALID_INPUT');
    }
  }),
);

const INVALID_IDS: [string, string, unknown?][] = [
  ['is missing', ''],
  ['is given twice', '?id=abcdef&id=ghijkl'],
  ['is given as an array', '?id[]=abcdef'],
  ['is a number', '', { id: 1234567 }],
  ['is an array', '', { id: ['abcdef'] }],
  ['is null', '', { id: null }],
  ['is an object', '', { id: { length: 7 } }],
  ['is not in the body', '', { name: 'abcdef' }],
  ['is in an array', '', [{ id: 'abcdef' }]],
];

test(
  'GET and DELETE return 400 when the ID is missing, repeated or not a string',
  withTestApp(async ({ call }) => {
    for (const [label, query, body] of INVALID_IDS) {
      for (const method of ['GET', 'DELETE']) {
        const answer = await call(method, `/beacon${query}`, { body });
        assertError(answer, 400, 'INVALID_INPUT', `${method}: the id ${label}`);
      }
    }
  }),
);

test(
  'GET and DELETE return 400 for a body that is not valid JSON',
  withTestApp(async ({ call }) => {
    for (const method of ['GET', 'DELETE']) {
      assertError(await call(method, '/beacon', { body: '{"id":' }), 400, 'INVALID_INPUT');
      const headers = { 'content-type': 'text/plain' };
      assertError(await call(method, '/beacon', { body: 'abcdef', headers }), 400, 'INVALID_INPUT');
    }
  }),
);

test(
  'GET and DELETE return 404 for an unknown ID',
  withTestApp(async ({ call }) => {
    for (const method of ['GET', 'DELETE']) {
      assertError(await call(method, '/beacon?id=unknown-id'), 404, 'NOT_FOUND');
    }
  }),
);

test(
  'DELETE removes and returns the beacon that the query or body identifies',
  withTestApp(async ({ call, add }) => {
    await add(DOOR, { id: 'beacon-two' });
    await call('GET', `/beacon?id=${DOOR.id}`);
    assert.deepEqual((await call('DELETE', `/beacon?id=${DOOR.id}`)).json, DOOR);
    assertError(await call('GET', `/beacon?id=${DOOR.id}`), 404, 'NOT_FOUND');
    assertError(await call('DELETE', `/beacon?id=${DOOR.id}`), 404, 'NOT_FOUND');
    const byBody = await call('DELETE', '/beacon', { body: { id: 'beacon-two' } });
    assert.equal((byBody.json as { id: string }).id, 'beacon-two');
    assert.equal((await call('GET', '/beacons')).text, '[]');
    assert.deepEqual((await call('GET', '/beacons?near=52,4')).json, []);
  }),
);

test(
  'POST returns 200 for an identical beacon, and 409 for a different one unless ?upsert=true is set',
  withTestApp(async ({ call }) => {
    const other = { ...DOOR, description: 'Gate' };
    const withoutPosition = { id: DOOR.id, description: 'Gate' };
    for (let i = 0; i < 2; i += 1) {
      assert.deepEqual((await call('POST', '/beacon', { body: DOOR })).json, DOOR);
    }
    for (const body of [other, withoutPosition]) {
      assertError(await call('POST', '/beacon', { body }), 409, 'CONFLICT');
      assertError(await call('POST', '/beacon?upsert=false', { body }), 409, 'CONFLICT');
    }
    assert.deepEqual((await call('GET', `/beacon?id=${DOOR.id}`)).json, DOOR);
    assert.deepEqual((await call('POST', '/beacon?upsert=true', { body: other })).json, other);
    assert.deepEqual((await call('GET', `/beacon?id=${DOOR.id}`)).json, other);
    assertError(await call('POST', '/beacon?upsert=yes', { body: other }), 400, 'INVALID_INPUT');
  }),
);

test(
  'PUT adds or replaces a beacon and rejects a body with a different ID',
  withTestApp(async ({ call }) => {
    const { id, ...rest } = DOOR;
    assert.deepEqual((await call('PUT', `/beacon/${id}`, { body: rest })).json, DOOR);
    const bare = { id, description: 'Gate', longDescription: '' };
    assert.deepEqual((await call('PUT', `/beacon/${id}`, { body: { id, description: 'Gate' } })).json, bare);
    assert.deepEqual((await call('GET', `/beacon?id=${id}`)).json, bare);
    assert.deepEqual((await call('GET', '/beacons?near=51.9,4.4')).json, []);
    assertError(await call('PUT', `/beacon/${id}`, { body: { id: 'another-one' } }), 400, 'INVALID_INPUT');
    assertError(await call('PUT', '/beacon/short', { body: rest }), 400, 'INVALID_INPUT');
    assertError(await call('PUT', `/beacon/${id}`, { body: [rest] }), 400, 'INVALID_INPUT');
    const slash = encodeURIComponent('a/b_c🛒d');
    assert.equal((await call('PUT', `/beacon/${slash}`, { body: {} })).status, 200);
  }),
);

const INVALID: [string, unknown, string?][] = [
  ['id missing', { description: 'x' }, 'id'],
  ['id a number', { id: 1234567 }, 'id'],
  ['id an array', { id: ['abcdef'] }, 'id'],
  ['id null', { id: null }, 'id'],
  ['half a character in the id', '{"id":"abcdef\\ud83d"}', 'id'],
  ['description a number', { id: 'abcdef', description: 5 }, 'description'],
  ['description null', { id: 'abcdef', description: null }, 'description'],
  ['description too long', { id: 'abcdef', description: 'x'.repeat(1001) }, 'description'],
  ['longDescription too long', { id: 'abcdef', longDescription: 'x'.repeat(10_001) }, 'longDescription'],
  ['txPower a string', { id: 'abcdef', txPower: '-59' }, 'txPower'],
  ['txPower null', { id: 'abcdef', txPower: null }, 'txPower'],
  ['txPower not an integer', { id: 'abcdef', txPower: -59.5 }, 'txPower'],
  ['txPower 21', { id: 'abcdef', txPower: 21 }, 'txPower'],
  ['txPower -101', { id: 'abcdef', txPower: -101 }, 'txPower'],
  ['lat 91', { id: 'abcdef', lat: 91, long: 0 }, 'lat'],
  ['lat -90.0000001', { id: 'abcdef', lat: -90.0000001, long: 0 }, 'lat'],
  ['long -181', { id: 'abcdef', lat: 0, long: -181 }, 'long'],
  ['long infinite', '{"id":"abcdef","lat":0,"long":1e999}', 'long'],
  ['lat NaN', '{"id":"abcdef","lat":NaN,"long":0}'],
  ['lat alone', { id: 'abcdef', lat: 1 }, 'long'],
  ['long alone', { id: 'abcdef', long: 1 }, 'lat'],
  ['an unknown field', { id: 'abcdef', colour: 'red' }, 'colour'],
  ['a forbidden name', '{"id":"abcdef","__proto__":{}}'],
  ['an array', [{ id: 'abcdef' }]],
  ['a string', '"abcdef"'],
  ['nothing', undefined],
  ['an empty body', ''],
  ['incomplete JSON', '{"id":"abcdef"'],
];

test(
  'POST returns 400 with the field name for an invalid beacon, and stores nothing',
  withTestApp(async ({ call }) => {
    for (const [label, body, field] of INVALID) {
      const answer = await call('POST', '/beacon', { body });
      assertError(answer, 400, 'INVALID_INPUT', label);
      if (field !== undefined) assert.equal((answer.json as { field?: string }).field, field, label);
    }
    assert.equal((await call('GET', '/beacons')).text, '[]');
  }),
);

test(
  'errors contain the full name of a field that begins with digits',
  withTestApp(async ({ call }) => {
    for (const name of ['12', '12ab', '12/ab']) {
      const answer = await call('POST', '/beacon', { body: { id: 'abcdef', [name]: 1 } });
      const { message, field } = answer.json as { message?: string; field?: string };
      assert.deepEqual([field, message], [name, `${name} is not a known field`]);
    }
  }),
);

test(
  'POST accepts values at their limits',
  withTestApp(async ({ call }) => {
    for (const [i, more] of [
      { txPower: -100, lat: 90, long: 180 },
      { txPower: 20, lat: -90, long: -180 },
      { txPower: 4.0, lat: 0, long: 0 },
      { lat: 1.2345678901234567, long: -0.1 },
      { description: '🛒'.repeat(1000), longDescription: '🛒'.repeat(10_000) },
    ].entries()) {
      const body = { id: `limit-${i}`, description: 'd', longDescription: 'l', ...more };
      assert.deepEqual((await call('POST', '/beacon', { body })).json, body);
      assert.deepEqual((await call('GET', `/beacon?id=limit-${i}`)).json, body);
    }
  }),
);

test(
  'stores and returns control characters in descriptions unchanged',
  withTestApp(async ({ call }) => {
    const body = { id: 'nul-01', description: 'a\u0000b', longDescription: '\r\n\t"\u2028' };
    await call('POST', '/beacon', { body });
    assert.deepEqual((await call('GET', '/beacon', { body: { id: body.id } })).json, body);
    assert.deepEqual((await call('GET', '/beacons')).json, [body]);
  }),
);

test(
  'POST returns 415 for an unsupported media type and 413 for a body that is too large',
  withTestApp(async ({ call }) => {
    const headers = { 'content-type': 'text/plain' };
    const plain = await call('POST', '/beacon', { body: '{"id":"abcdef"}', headers });
    assertError(plain, 415, 'UNSUPPORTED_MEDIA_TYPE');
    const long = await call('POST', '/beacon', { body: { id: 'abcdef', description: 'x'.repeat(200_000) } });
    assertError(long, 413, 'TOO_LARGE');
  }),
);

test(
  'concurrent POSTs for one ID all succeed if they are identical, but only one succeeds if they differ',
  withTestApp(async ({ call }) => {
    const same = await Promise.all(Array.from({ length: 50 }, () => call('POST', '/beacon', { body: DOOR })));
    assert.ok(same.every(({ status }) => status === 200));
    const bodies = Array.from({ length: 50 }, (_, i) => ({ id: 'racing', description: String(i) }));
    const race = await Promise.all(bodies.map((body) => call('POST', '/beacon', { body })));
    assert.equal(race.filter(({ status }) => status === 200).length, 1);
    assert.equal(race.filter(({ status }) => status === 409).length, 49);
  }),
);

test.run();
