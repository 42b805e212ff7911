import assert from 'node:assert/strict';
import { test } from 'uvu';
import { derived } from '../../../src/shared/derived.js';

test('recomputes the value only when the source is a different object', () => {
  let source = { speed: 1 };
  let computed = 0;
  const double = derived(
    () => source,
    ({ speed }) => {
      computed += 1;
      return speed * 2;
    },
  );
  assert.deepEqual([double(), double(), computed], [2, 2, 1]);
  source = { speed: 2 };
  assert.deepEqual([double(), double(), computed], [4, 4, 2]);
});

test.run();
