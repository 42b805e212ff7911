import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { outcomeOf } from '../../../../src/http/server/conditional.js';

const test = suite('conditional and range requests');

const DATE = 'Wed, 04 Mar 2026 05:06:07 GMT';
const EARLIER = 'Wed, 04 Mar 2026 05:06:06 GMT';
const LATER = 'Wed, 04 Mar 2026 05:06:08 GMT';
const FILE = { etag: '"one"', modifiedMs: Date.UTC(2026, 2, 4, 5, 6, 7, 890), size: 1000 };

/** Returns the outcome as text: `200`, or `206 0-99`. */
function outcome(
  headers: Record<string, string>,
  { method = 'GET', file = FILE as Partial<typeof FILE> } = {},
) {
  const given = outcomeOf({ method, headers }, { etag: '"one"', size: 1000, ...file });
  return given.status === 206 ? `206 ${given.first}-${given.last}` : String(given.status);
}

for (const [range, expected] of [
  ['bytes=0-99', '206 0-99'],
  ['bytes=900-', '206 900-999'],
  ['bytes=999-999', '206 999-999'],
  ['bytes=990-5000', '206 990-999'],
  ['bytes=-100', '206 900-999'],
  ['bytes=-5000', '206 0-999'],
  ['BYTES = 0-0', '206 0-0'],
  ['bytes= , 5-6 ,', '206 5-6'],
  ['bytes=1000-', '416'],
  ['bytes=999999999999999999999-', '416'],
  ['bytes=-0', '416'],
  ['bytes=2000-3000, 4000-', '416'],
  ['bytes=0-9, 2000-', '206 0-9'],
  ['bytes=0-9, 20-29', '200'],
  ['bytes=9-0', '200'],
  ['bytes=', '200'],
  ['bytes=-', '200'],
  ['bytes=1-2x', '200'],
  ['bytes=0-9, x', '200'],
  ['lines=0-9', '200'],
  ['0-9', '200'],
] as const) {
  test(`responds to a GET with "Range: ${range}" with ${expected}`, () => {
    assert.equal(outcome({ range }), expected);
  });
}

test('ignores a range in a HEAD request', () => {
  for (const range of ['bytes=0-99', 'bytes=5000-'])
    assert.equal(outcome({ range }, { method: 'HEAD' }), '200');
});

test('ignores every range of an empty file', () => {
  const file = { ...FILE, size: 0 };
  for (const range of ['bytes=0-', 'bytes=-5', 'bytes=0-0'])
    assert.equal(outcome({ range }, { file }), '200');
});

for (const [name, value, expected] of [
  ['if-match', '"one"', '200'],
  ['if-match', '*', '200'],
  ['if-match', '"two", "one"', '200'],
  ['if-match', '"two"', '412'],
  ['if-match', 'W/"one"', '412'],
  ['if-match', 'one', '412'],
  ['if-match', '"a,\\"one', '412'],
  ['if-match', '', '412'],
  ['if-none-match', '"one"', '304'],
  ['if-none-match', 'W/"one"', '304'],
  ['if-none-match', '*', '304'],
  ['if-none-match', '"two" , "one"', '304'],
  ['if-none-match', '"two"', '200'],
  ['if-none-match', 'one', '200'],
  ['if-modified-since', DATE, '304'],
  ['if-modified-since', LATER, '304'],
  ['if-modified-since', EARLIER, '200'],
  ['if-modified-since', '2030', '200'],
  ['if-modified-since', 'Fri, 31 Feb 2040 00:00:00 GMT', '200'],
  ['if-modified-since', 'Wednesday, 04-Mar-26 05:06:07 GMT', '304'],
  ['if-modified-since', 'Wednesday, 04-Mar-98 05:06:07 GMT', '200'],
  ['if-modified-since', 'Wed Mar  4 05:06:07 2026', '304'],
  ['if-modified-since', 'Wed Mar  4 05:06:06 2026', '200'],
  ['if-unmodified-since', DATE, '200'],
  ['if-unmodified-since', LATER, '200'],
  ['if-unmodified-since', EARLIER, '412'],
  ['if-unmodified-since', 'Sunday, 06-Nov-94 08:49:37 GMT', '412'],
  ['if-unmodified-since', 'Sun Nov  6 08:49:37 1994', '412'],
  ['if-unmodified-since', 'yesterday', '200'],
] as const) {
  for (const method of ['GET', 'HEAD']) {
    test(`responds to a ${method} with "${name}: ${value}" with ${expected}`, () => {
      assert.equal(outcome({ [name]: value }, { method }), expected);
    });
  }
}

for (const [ifRange, expected] of [
  ['"one"', '206 0-9'],
  [DATE, '206 0-9'],
  ['W/"one"', '200'],
  ['"two"', '200'],
  ['"one", "two"', '200'],
  [LATER, '200'],
  [EARLIER, '200'],
  ['today', '200'],
] as const) {
  test(`responds to a range with "If-Range: ${ifRange}" with ${expected}`, () => {
    assert.equal(outcome({ range: 'bytes=0-9', 'if-range': ifRange }), expected);
  });
}

test('sends the whole file if the validator of If-Range differs and the range is not satisfiable', () => {
  assert.equal(outcome({ range: 'bytes=5000-', 'if-range': '"two"' }), '200');
});

test('ignores If-Unmodified-Since if the request has If-Match', () => {
  assert.equal(outcome({ 'if-match': '"one"', 'if-unmodified-since': EARLIER }), '200');
});

test('ignores If-Modified-Since if the request has If-None-Match', () => {
  assert.equal(outcome({ 'if-none-match': '"two"', 'if-modified-since': LATER }), '200');
});

test('evaluates If-Match before If-None-Match, and both before Range', () => {
  const range = 'bytes=0-9';
  assert.equal(outcome({ 'if-match': '"two"', 'if-none-match': '"one"', range }), '412');
  assert.equal(outcome({ 'if-unmodified-since': EARLIER, 'if-none-match': '"one"', range }), '412');
  assert.equal(outcome({ 'if-match': '"one"', 'if-none-match': '"one"', range }), '304');
  assert.equal(outcome({ 'if-match': '"one"', 'if-none-match': '"two"', range }), '206 0-9');
});

test('ignores dates if the resource does not have a modification date', () => {
  const file = { etag: '"one"', size: 1000 };
  const range = 'bytes=0-9';
  for (const name of ['if-modified-since', 'if-unmodified-since'])
    assert.equal(outcomeOf({ method: 'GET', headers: { [name]: EARLIER } }, file).status, 200);
  assert.equal(outcomeOf({ method: 'GET', headers: { range, 'if-range': DATE } }, file).status, 200);
});

test.run();
