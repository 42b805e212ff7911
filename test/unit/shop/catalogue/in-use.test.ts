import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { type TestApp, withTestApp } from '../test-app.js';

/** Whether the shop is in use decides whether the menu shows it. */
const test = suite('the use of the shop');

const isInUse = ({ shop }: TestApp): boolean => shop.catalogue.isInUse;

test(
  'a shop with unchanged sample games is not in use, but its games are for sale',
  withTestApp(async (testApp) => {
    assert.equal(isInUse(testApp), false);
    assert.equal(testApp.shop.catalogue.games().length, 5);
  }),
);

for (const [change, method, path, body] of [
  ['added', 'POST', '/games', { title: 'Crane', price: 3.5 }],
  ['changed', 'PATCH', '/games/1', { price: 1 }],
  ['taken off sale', 'PATCH', '/games/1', { active: false }],
  ['removed', 'DELETE', '/games/1', undefined],
] as const) {
  test(
    `the shop is in use after a game has been ${change}`,
    withTestApp(async (testApp) => {
      assert.equal(isInUse(testApp), false);
      const { status, text } = await testApp.call(method, path, body ? { body } : {});
      assert.ok(status < 300, text);
      assert.equal(isInUse(testApp), true);
    }),
  );
}

test(
  'the shop is in use after a sample game has been ordered',
  withTestApp(async (testApp) => {
    assert.equal(isInUse(testApp), false);
    const body = { orderId: 'order-1', userId: 1, game_id: 2 };
    assert.equal((await testApp.call('POST', '/payments/order', { body })).status, 201);
    assert.equal(isInUse(testApp), true);
  }),
);

test(
  'a shop without games for sale is not in use',
  withTestApp(async (testApp) => {
    for (const { id } of testApp.shop.catalogue.games())
      assert.equal((await testApp.call('DELETE', `/games/${id}`)).status, 200);
    assert.equal(isInUse(testApp), false);
  }),
);

test.run();
