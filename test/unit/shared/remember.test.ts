import assert from 'node:assert/strict';
import { test } from 'uvu';
import { remember } from '../../../src/shared/remember.js';

function counted(): { computed: string[]; lengthOf: (key: string) => number } {
  const computed: string[] = [];
  const lengthOf = remember((key) => {
    computed.push(key);
    return key.length;
  });
  return { computed, lengthOf };
}

test('remember() computes the result for each key once', () => {
  const { computed, lengthOf } = counted();
  assert.deepEqual(['a', 'bb', 'a', 'bb'].map(lengthOf), [1, 2, 1, 2]);
  assert.deepEqual(computed, ['a', 'bb']);
});

test('remember() stores undefined results', () => {
  let calls = 0;
  const nothing = remember(() => {
    calls += 1;
  });
  nothing('a');
  nothing('a');
  assert.equal(calls, 1);
});

test('remember() discards its results after 1,000 keys and does not store the result of a key of 256 characters', () => {
  const { computed, lengthOf } = counted();
  const long = 'x'.repeat(256);
  for (let n = 0; n < 1001; n += 1) lengthOf(`key ${n}`);
  lengthOf('key 0');
  lengthOf(long);
  lengthOf(long);
  assert.deepEqual(computed.slice(1001), ['key 0', long, long]);
});

test.run();
