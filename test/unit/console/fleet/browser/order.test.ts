import assert from 'node:assert/strict';
import { test } from 'uvu';
import { inOrder } from '../../../../../src/console/fleet/browser/filter-and-sort.js';

test('keeps the displayed order of the carts, removes deleted carts and appends new ones', () => {
  const rows = [9, 3, 2, 1].map((cartID) => ({ cartID }));
  assert.deepEqual(
    inOrder(rows, [1, 2, 7, 3]).map(({ cartID }) => cartID),
    [1, 2, 3, 9],
  );
});

test.run();
