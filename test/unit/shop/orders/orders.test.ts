import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { STATS } from '../../../../src/shop/orders/orders.js';
import { openPlain } from '../../../../src/store/connection.js';
import { CUSTOMER, rows, type TestApp, withTestApp } from '../test-app.js';

const order = (testApp: TestApp, body: unknown) => testApp.call('POST', '/payments/order', { body });

test(
  'only the owner or an operator can empty a basket',
  withTestApp(async (testApp) => {
    const put = (user: number, body: unknown) => testApp.call('POST', `/payments/cart/${user}`, { body });
    await put(2, { game_id: 1, quantity: 3 });
    await put(3, { game_id: 2 });
    testApp.caller.principal = CUSTOMER;
    const empty = (user: string) => testApp.call('DELETE', `/payments/cart/${user}`);
    assert.equal((await empty('3')).status, 403);
    for (const _time of [1, 2]) {
      const { status, json } = await empty('2');
      assert.deepEqual([status, json], [200, { success: true }]);
    }
    for (const user of ['1%20OR%201=1', '-1', '0', '2.5', '99999999999']) {
      const { status, json } = await empty(user);
      assert.deepEqual([status, Object.keys(json)], [400, ['error']], user);
    }
    assert.equal(testApp.sql('SELECT * FROM cart_items').length, 1, 'the other basket is unchanged');
  }),
);

const GOOD = { orderId: 'order-1', userId: 1, game_id: 2 };

test(
  'rejects invalid orders, and orders for unknown users and games',
  withTestApp(async (testApp) => {
    assert.equal((await order(testApp, { ...GOOD, game_id: 999 })).status, 404);
    assert.equal((await order(testApp, { ...GOOD, userId: 999 })).status, 404);
    for (const bad of [
      { ...GOOD, game_id: 1.5 },
      { ...GOOD, userId: '1' },
      { orderId: 'x', userId: 1 },
    ]) {
      const { status, json } = await order(testApp, bad);
      assert.deepEqual([status, Object.keys(json)], [400, ['error']]);
    }
  }),
);

test(
  'stores a repeated order line only once',
  withTestApp(async (testApp) => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => order(testApp, GOOD)));
    for (const { status, json } of [...responses, await order(testApp, GOOD)]) {
      assert.deepEqual([status, json.success, typeof json.message], [201, true, 'string']);
    }
    assert.equal(testApp.sql('SELECT * FROM orders').length, 1);
  }),
);

test(
  'a customer cannot place orders for other users',
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    assert.equal((await order(testApp, GOOD)).status, 403);
  }),
);

test(
  'a completed payment marks its order as paid and empties the basket in one transaction',
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    await testApp.call('POST', '/payments/cart/2', { body: { game_id: 1, quantity: 2 } });
    await testApp.call('POST', '/payments/cart/2', { body: { game_id: 2 } });
    const { total } = (await testApp.call('GET', '/payments/cart/2')).json;
    const row = await testApp.shop.payments.create({
      userId: 2,
      caller: '2',
      amountMinor: 'basket',
      clientKey: null,
      returnUrl: 'http://x/',
    });
    assert.deepEqual([row.amountMinor / 100, row.userId], [total, 2]);
    // A game added after the payment was created stays in the basket.
    await testApp.call('POST', '/payments/cart/2', { body: { game_id: 3 } });
    testApp.sql('UPDATE cart_items SET added_at = added_at + 60000 WHERE game_id = 3');
    const commits: string[][] = [];
    testApp.store.onCommit(({ names }) => commits.push([...names]));
    await testApp.sandbox.choose(row.providerRef ?? '', 'pay');
    assert.equal(await testApp.status(row.transactionId), 'completed');
    assert.deepEqual(commits, [['sandbox.move'], ['shop.recordStatus']]);
    const lines = testApp.sql('SELECT game_id, quantity, paid_at FROM orders ORDER BY game_id');
    assert.deepEqual(
      lines.map(({ game_id, quantity }) => [game_id, quantity]),
      [
        [1, 2],
        [2, 1],
      ],
    );
    assert.ok(lines.every(({ paid_at }) => typeof paid_at === 'number'));
    const { items } = (await testApp.call('GET', '/payments/cart/2')).json as {
      items: { game_id: number }[];
    };
    assert.deepEqual(
      items.map(({ game_id }) => game_id),
      [3],
    );
    assert.equal(rows(testApp)[0]?.status, 'completed');
  }),
);

test(
  'adds, changes and retires games',
  withTestApp(async (testApp) => {
    const { json, status } = await testApp.call('POST', '/games', { body: { title: 'New', price: 4.35 } });
    assert.equal(status, 201);
    const { id } = json;
    const path = `/games/${id}`;
    const changed = await testApp.call('PATCH', path, { body: { price: 5 } });
    assert.deepEqual([changed.json.title, changed.json.price], ['New', 5]);
    for (const body of [{ title: 'x', price: 1.005 }, { title: '', price: 1 }, { price: 1 }]) {
      assert.equal((await testApp.call('POST', '/games', { body })).status, 400);
    }
    assert.equal(
      (await testApp.call('POST', '/games', { body: { title: 'x', price: 1, sku: 'CW-001' } })).status,
      409,
    );
    await order(testApp, { orderId: 'a', userId: 1, game_id: id });
    await testApp.call('DELETE', path);
    const listed = JSON.parse((await testApp.call('GET', '/games')).text);
    assert.equal(listed.length, 5);
    assert.equal(
      testApp.shop.catalogue.games({ withRetired: true }).length,
      6,
      'an ordered game is retired, not deleted',
    );
    assert.equal((await testApp.call('POST', '/payments/cart/1', { body: { game_id: id } })).status, 409);
  }),
);

test(
  'the statistics list every title for sale, even without orders, with the most ordered title first',
  withTestApp(async (testApp) => {
    for (const [orderId, game_id] of [
      ['a', 2],
      ['b', 2],
      ['a', 5],
    ]) {
      await order(testApp, { orderId, userId: 1, game_id });
    }
    const { text } = await testApp.call('GET', '/orders/stats');
    assert.deepEqual(JSON.parse(text), [
      { title: 'Beacon Hunt', orderCount: 2 },
      { title: 'Night Shift', orderCount: 1 },
      { title: 'Forklift Tycoon', orderCount: 0 },
      { title: 'Parcel Panic', orderCount: 0 },
      { title: 'Warehouse Rally', orderCount: 0 },
    ]);
  }),
);

test(
  'counts 100,000 orders using the index instead of a table scan',
  withTestApp(async (testApp) => {
    testApp.sql(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO orders (order_id, user_id, game_id, created_at) SELECT 'o' || i, 1 + i % 3, 1 + i % 5, i FROM n`);
    const db = openPlain(join(testApp.dir, 'cartwright.db'), 5000);
    const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${STATS}`).all();
    db.close();
    const details = plan.map(({ detail }) => detail).join('\n');
    assert.match(details, /SEARCH orders USING COVERING INDEX orders_game/);
    assert.ok(!/SCAN orders/.test(details), details);
    assert.equal(testApp.shop.orders.stats()[0]?.orderCount, 20_000);
  }),
);

test.run();
