import assert from 'node:assert/strict';
import { test } from 'uvu';
import { cartLabel } from '../../../../src/carts/labels/stop-labels.js';

test('labels a cart with its name and number, and never repeats the number', () => {
  assert.equal(cartLabel({ cartID: 2, name: 'Cart 2' }), 'Cart 2');
  assert.equal(cartLabel({ cartID: 2, name: 'Loader' }), 'Loader (2)');
  assert.equal(cartLabel({ cartID: 2, name: 'Loader 12' }), 'Loader 12 (2)');
});

test.run();
