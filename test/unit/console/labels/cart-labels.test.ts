import assert from 'node:assert/strict';
import { test } from 'uvu';
import { cartLabel, cartLabels } from '../../../../src/carts/cart-labels.js';
import { moreStopped, otherStopped, stoppedShown } from '../../../../src/console/labels/fleet-labels.js';

test('labels a cart with its name and number, and never repeats the number', () => {
  assert.equal(cartLabel({ cartID: 2, name: 'Cart 2' }), 'Cart 2');
  assert.equal(cartLabel({ cartID: 2, name: 'Loader' }), 'Loader (2)');
  assert.equal(cartLabel({ cartID: 2, name: 'Loader 12' }), 'Loader 12 (2)');
});

const carts = (count: number) =>
  Array.from({ length: count }, (_each, at) => ({ cartID: at + 1, name: `C${at + 1}` }));

test('names the sixth cart instead of showing "+ 1"', () => {
  assert.equal(cartLabels(carts(5)), 'C1, C2, C3, C4, C5');
  assert.equal(cartLabels(carts(6)), 'C1, C2, C3, C4, C5, C6');
  assert.equal(cartLabels(carts(7)), 'C1, C2, C3, C4, C5 + 2');
});

test('names the other stopped carts, and counts those beyond five', () => {
  assert.equal(otherStopped(carts(2)), 'Other stopped carts: C1, C2');
  assert.equal(otherStopped(carts(12)), 'Other stopped carts: C1, C2, C3, C4, C5 + 7');
});

test('shows the eleventh stopped cart instead of "1 more"', () => {
  assert.deepEqual([10, 11, 12].map(stoppedShown), [10, 11, 10]);
  assert.deepEqual([11, 12].map(moreStopped), ['', '2 more carts stopped']);
});

test.run();
