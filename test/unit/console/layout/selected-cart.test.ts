import assert from 'node:assert/strict';
import type { Request } from 'express';
import { test } from 'uvu';
import { errorContext } from '../../../../src/console/layout/context.js';
import { formOf, referringCart, withCart } from '../../../../src/console/layout/selected-cart.js';
import { cart, layout } from '../../app/api/samples.js';

const ERROR = { status: 404, title: 'Not found', message: '' };

test('links and the Stop button refer to the selected cart', () => {
  const page = errorContext({ ...layout([cart(1), cart(2)]), selectedID: 2 }, ERROR);
  assert.deepEqual([...new Set(page.nav.map(({ href }) => href.split('?')[1]))], ['cart=2']);
  assert.equal(page.safety.cartID, 2);
  assert.equal(page.cameraName, 'Cart 1 camera');
  assert.equal(page.lights.find(({ key }) => key === 'controller')?.name, 'Cart 1 controller');
});

test('links do not contain a cart ID when no cart is selected, and a page with one cart does not have a cart selector', () => {
  assert.equal(errorContext(layout([cart(1), cart(2)]), ERROR).nav[0]?.href, '/');
  const single = errorContext({ ...layout([cart(1)]), selectedID: 1 }, ERROR);
  assert.equal(single.cartChoice, null);
  assert.equal(single.nav[0]?.href, '/');
});

test('pages show the other carts that the operator is moving', () => {
  const ownMoves = [
    { cartID: 2, name: 'Cart 2', by: 'anna' },
    { cartID: 3, name: 'Loader', by: 'anna' },
  ];
  const page = errorContext({ ...layout([cart(1), cart(2)]), selectedID: 2, ownMoves }, ERROR);
  assert.deepEqual(page.alsoMoving, [{ cartID: 3, label: 'Loader (3)', motion: 'is moving' }]);
});

test('pages do not claim that a cart is moving when its gateway is offline', () => {
  const ownMoves = [{ cartID: 3, name: 'Loader', by: 'anna' }];
  const page = errorContext({ ...layout([cart(1), cart(3, { online: false })]), ownMoves }, ERROR);
  assert.deepEqual(
    page.alsoMoving.map(({ motion }) => motion),
    ['was moving'],
  );
});

test("adds the cart to a path's query and keeps the other parameters", () => {
  assert.equal(withCart('/map?find=hall&cart=1', 2), '/map?find=hall&cart=2');
  assert.deepEqual(formOf('/map?find=hall&cart=2'), {
    action: '/map',
    params: [{ name: 'find', value: 'hall' }],
  });
});

test('takes the cart from the referring page only if that page belongs to this gateway', () => {
  const cartOf = (referer: string): string =>
    referringCart({ headers: { host: 'cart.local', referer } } as Request);
  assert.equal(cartOf('http://cart.local/map?cart=2'), '2');
  assert.equal(cartOf('http://elsewhere.example/?cart=2'), '');
  assert.equal(cartOf('not a URL'), '');
  assert.equal(cartOf(''), '');
});

test.run();
