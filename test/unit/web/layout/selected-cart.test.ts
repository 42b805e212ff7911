import assert from 'node:assert/strict';
import type { Request } from 'express';
import { test } from 'uvu';
import { errorContext } from '../../../../src/web/layout/context.js';
import { formOf, referringCart, withCart } from '../../../../src/web/layout/selected-cart.js';
import { cart, layout } from '../../gateway/api/samples.js';

const ERROR = { status: 404, title: 'Not found', message: '' };

test('every link of the layout keeps the selected cart, and Stop stops it', () => {
  const page = errorContext({ ...layout([cart(1), cart(2)]), selectedID: 2 }, ERROR);
  assert.deepEqual([...new Set(page.nav.map(({ href }) => href.split('?')[1]))], ['cart=2']);
  assert.equal(page.safety.cartID, 2);
  assert.equal(page.cameraName, 'Camera of Cart 1');
  assert.equal(page.lights.find(({ key }) => key === 'controller')?.name, 'Controller of Cart 1');
});

test('links name no cart when none was selected, and there is no switch for a single cart', () => {
  assert.equal(errorContext(layout([cart(1), cart(2)]), ERROR).nav[0]?.href, '/');
  const single = errorContext({ ...layout([cart(1)]), selectedID: 1 }, ERROR);
  assert.equal(single.cartChoice, null);
  assert.equal(single.nav[0]?.href, '/');
});

test('other carts that the operator moves are shown, those of other operators are not', () => {
  const moves = [
    { cartID: 1, name: 'Cart 1', by: 'bert' },
    { cartID: 2, name: 'Cart 2', by: 'anna' },
    { cartID: 3, name: 'Loader', by: 'anna' },
  ];
  const page = errorContext({ ...layout([cart(1), cart(2)]), selectedID: 2, moves }, ERROR);
  assert.deepEqual(page.alsoMoving, [{ cartID: 3, label: 'Loader (3)' }]);
});

test('a cart goes into a path beside what is there, and a form keeps the rest', () => {
  assert.equal(withCart('/map?find=hall&cart=1', 2), '/map?find=hall&cart=2');
  assert.deepEqual(formOf('/map?find=hall&cart=2'), {
    action: '/map',
    params: [{ name: 'find', value: 'hall' }],
  });
});

test('the cart of the page before counts on this gateway only', () => {
  const before = (referer: string): string =>
    referringCart({ headers: { host: 'cart.local', referer } } as Request);
  assert.equal(before('http://cart.local/map?cart=2'), '2');
  assert.equal(before('http://elsewhere.example/?cart=2'), '');
  assert.equal(before('no address'), '');
  assert.equal(before(''), '');
});

test.run();
