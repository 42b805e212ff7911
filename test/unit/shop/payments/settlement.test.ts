import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import { openStripe } from '../../../../src/adapters/payments/stripe.js';
import {
  type Created,
  CUSTOMER,
  MACHINE,
  OPERATOR,
  priceBook,
  rows,
  type TestApp,
  withTestApp,
} from '../test-app.js';

/** IDs of seeded games that cost 9.99, 29.50 and 19.99. */
const [CHEAP, EXPENSIVE, DEAR] = [2, 3, 1];
const OTHER = { ...CUSTOMER, userId: 3, caller: '3', name: 'cas' };

const order = (testApp: TestApp, orderId: string, game_id: number, userId = 2) =>
  testApp.call('POST', '/payments/order', { body: { orderId, userId, game_id } });

async function settle(testApp: TestApp, { ref, transactionId }: Created): Promise<void> {
  await testApp.sandbox.choose(ref, 'pay');
  assert.equal(await testApp.status(transactionId), 'completed', "the provider's status");
}

const paid = (testApp: TestApp): boolean[] =>
  testApp.sql('SELECT paid_at FROM orders ORDER BY id').map(({ paid_at }) => paid_at !== null);
const settlement = (testApp: TestApp): unknown => rows(testApp)[0]?.settlement;

async function operatorView(testApp: TestApp): Promise<Record<string, unknown>> {
  testApp.caller.principal = OPERATOR;
  const [view] = JSON.parse((await testApp.call('GET', '/payments')).text);
  return view;
}

const asCustomer = (test: (testApp: TestApp) => Promise<void>) =>
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    await test(testApp);
  });

test(
  'an order of 29.50 with a payment of 0.01 stays unpaid, and operators see the reason',
  asCustomer(async (testApp) => {
    const payment = await testApp.pay(0.01);
    assert.equal((await order(testApp, payment.orderId, EXPENSIVE)).status, 201);
    await testApp.call('POST', '/payments/cart/2', { body: { game_id: EXPENSIVE } });
    await settle(testApp, payment);
    assert.deepEqual(paid(testApp), [false]);
    assert.equal(testApp.sql('SELECT * FROM cart_items').length, 1, 'the basket is not emptied');
    assert.match((await testApp.call('GET', '/shop')).text, /Underpaid/);
    const view = await operatorView(testApp);
    assert.deepEqual([view.status, view.settlement, view.paid], ['completed', 'underpaid', 0.01]);
    assert.match(JSON.stringify(view.events), /underpaid: EUR 29.50 ordered, EUR 0.01 paid/);
    assert.match(
      (await testApp.call('GET', '/shop/admin')).text,
      /<strong>€\u00a00\.01<\/strong> <span[^>]*>Underpaid/,
    );
  }),
);

test(
  'a payment settles order lines whose total does not exceed the amount paid',
  asCustomer(async (testApp) => {
    const exact = await testApp.pay(39.49);
    for (const game of [CHEAP, EXPENSIVE])
      assert.equal((await order(testApp, exact.orderId, game)).status, 201);
    await settle(testApp, exact);
    assert.deepEqual(paid(testApp), [true, true]);
    assert.equal(settlement(testApp), 'settled');
    const over = await testApp.pay(30);
    await order(testApp, over.orderId, EXPENSIVE);
    await settle(testApp, over);
    assert.deepEqual(paid(testApp), [true, true, true]);
  }),
);

test(
  'an order line keeps the price from the time of the order',
  asCustomer(async (testApp) => {
    const payment = await testApp.pay(29.5);
    await order(testApp, payment.orderId, EXPENSIVE);
    testApp.sql(`UPDATE games SET price_minor = 1 WHERE id = ${CHEAP}`);
    testApp.sql(`UPDATE games SET price_minor = 9900 WHERE id = ${EXPENSIVE}`);
    await settle(testApp, payment);
    assert.deepEqual(paid(testApp), [true]);
  }),
);

test(
  'marks a line that is added to a completed payment as paid only if the amount paid covers the line',
  asCustomer(async (testApp) => {
    const payment = await testApp.pay(39.49);
    await settle(testApp, payment);
    assert.equal((await order(testApp, payment.orderId, CHEAP)).status, 201);
    assert.deepEqual([paid(testApp), settlement(testApp)], [[true], 'settled']);
    assert.equal((await order(testApp, payment.orderId, EXPENSIVE)).status, 201);
    assert.deepEqual([paid(testApp), settlement(testApp)], [[true, true], 'settled']);
    assert.equal((await order(testApp, payment.orderId, DEAR)).status, 201);
    assert.deepEqual([paid(testApp), settlement(testApp)], [[true, true, false], 'underpaid']);
  }),
);

test(
  'counts lines that are added to a completed payment in the order statistics',
  asCustomer(async (testApp) => {
    const ordered = async (): Promise<number> =>
      JSON.parse((await testApp.call('GET', '/orders/stats')).text).reduce(
        (sum: number, { orderCount }: { orderCount: number }) => sum + orderCount,
        0,
      );
    const payment = await testApp.pay(9.99);
    await settle(testApp, payment);
    for (const game of [CHEAP, EXPENSIVE]) await order(testApp, payment.orderId, game);
    assert.equal(await ordered(), 2);
  }),
);

test(
  'a payment of 0.01 that was completed before the order was placed does not cover any order line',
  asCustomer(async (testApp) => {
    const payment = await testApp.pay(0.01);
    await settle(testApp, payment);
    assert.equal((await order(testApp, payment.orderId, EXPENSIVE)).status, 201);
    assert.deepEqual([paid(testApp), settlement(testApp)], [[false], 'underpaid']);
    assert.match((await testApp.call('GET', '/shop')).text, /Not covered by the payment/);
  }),
);

test(
  'accepts a line after the payment was completed manually, up to the requested amount',
  asCustomer(async (testApp) => {
    const { orderId } = await testApp.pay(29.5);
    testApp.caller.principal = OPERATOR;
    await testApp.call('PATCH', `/payments/updateStatus/completed/${orderId}`);
    testApp.caller.principal = CUSTOMER;
    for (const game of [EXPENSIVE, CHEAP]) assert.equal((await order(testApp, orderId, game)).status, 201);
    assert.deepEqual(paid(testApp), [true, false]);
  }),
);

test(
  'a paid line remains paid when a later line is not covered',
  asCustomer(async (testApp) => {
    const payment = await testApp.pay(9.99);
    await order(testApp, payment.orderId, CHEAP);
    await settle(testApp, payment);
    const paidAt = testApp.sql('SELECT paid_at FROM orders')[0]?.paid_at;
    await order(testApp, payment.orderId, EXPENSIVE);
    assert.deepEqual(paid(testApp), [true, false]);
    assert.equal(testApp.sql('SELECT paid_at FROM orders ORDER BY id')[0]?.paid_at, paidAt);
  }),
);

test(
  'accepts a repeated order line after the payment was completed',
  asCustomer(async (testApp) => {
    const payment = await testApp.pay(39.49);
    await order(testApp, payment.orderId, CHEAP);
    await settle(testApp, payment);
    assert.equal((await order(testApp, payment.orderId, CHEAP)).status, 201);
    assert.deepEqual(paid(testApp), [true]);
  }),
);

test(
  "rejects order lines for another customer's payment, regardless of the user's role",
  asCustomer(async (testApp) => {
    const { orderId } = await testApp.pay(9.99);
    testApp.caller.principal = OTHER;
    assert.equal((await order(testApp, orderId, CHEAP, 3)).status, 403);
    for (const staff of [OPERATOR, MACHINE]) {
      testApp.caller.principal = staff;
      assert.equal((await order(testApp, orderId, CHEAP, 3)).status, 403);
    }
    const till = await testApp.pay(9.99);
    testApp.caller.principal = OTHER;
    assert.equal((await order(testApp, till.orderId, CHEAP, 3)).status, 403, 'payment of an API key');
    assert.deepEqual(paid(testApp), []);
  }),
);

for (const [name, staff] of [
  ['an API key', MACHINE],
  ['an operator', OPERATOR],
] as const) {
  test(
    `${name} can pay for only one customer's order lines`,
    withTestApp(async (testApp) => {
      testApp.caller.principal = staff;
      const payment = await testApp.pay(29.5);
      assert.equal((await order(testApp, payment.orderId, EXPENSIVE)).status, 201);
      assert.equal((await order(testApp, payment.orderId, CHEAP, 3)).status, 403, 'a second customer');
      await settle(testApp, payment);
      assert.deepEqual(paid(testApp), [true]);
    }),
  );
}

test(
  "does not settle an order that an earlier version created with two customers' order lines",
  asCustomer(async (testApp) => {
    const payment = await testApp.pay(100);
    await order(testApp, payment.orderId, CHEAP);
    testApp.sql(`INSERT INTO orders (order_id, user_id, game_id, price_minor, currency, created_at)
      VALUES ('${payment.orderId}', 3, ${CHEAP}, 999, 'EUR', 1)`);
    await settle(testApp, payment);
    assert.deepEqual([paid(testApp), settlement(testApp)], [[false, false], 'mismatch']);
  }),
);

test(
  'rejects a game whose currency differs from that of the payment',
  asCustomer(async (testApp) => {
    const { orderId } = await testApp.pay(29.5);
    testApp.sql(`UPDATE games SET currency = 'SEK' WHERE id = ${EXPENSIVE}`);
    assert.equal((await order(testApp, orderId, EXPENSIVE)).status, 409);
  }),
);

test(
  'a manually completed payment settles lines only up to its amount',
  asCustomer(async (testApp) => {
    const [low, full] = [await testApp.pay(0.01), await testApp.pay(29.5)];
    for (const { orderId } of [low, full]) await order(testApp, orderId, EXPENSIVE);
    testApp.caller.principal = OPERATOR;
    for (const { orderId } of [low, full]) {
      const { status, json } = await testApp.call('PATCH', `/payments/updateStatus/completed/${orderId}`);
      assert.deepEqual([status, json], [200, { success: true }]);
    }
    assert.deepEqual(paid(testApp), [false, true]);
    await testApp.call('PATCH', `/payments/updateStatus/failed/${full.orderId}`);
    assert.deepEqual(paid(testApp), [false, false], 'set back to failed');
  }),
);

for (const [name, amount, currency] of [
  ['less', 1, 'eur'],
  ['a different currency', 2950, 'sek'],
] as const) {
  test(`does not settle an order when the provider collected ${name}`, async () => {
    let isPaid = false;
    let metadata = {};
    const server = createServer(async (req, res) => {
      let form = '';
      for await (const chunk of req.setEncoding('utf8')) form += chunk;
      const sent = new URLSearchParams(form);
      if (sent.has('metadata[transaction_id]'))
        metadata = { transaction_id: sent.get('metadata[transaction_id]') };
      const session = {
        id: 'cs_1',
        url: 'http://x/',
        metadata,
        amount_total: amount,
        currency,
        ...(isPaid
          ? { status: 'complete', payment_status: 'paid' }
          : { status: 'open', payment_status: 'unpaid' }),
      };
      const response = req.url?.includes('sessions')
        ? session
        : req.url?.includes('prices')
          ? { id: 'price_1', unit_amount: 2950, currency: 'eur' }
          : { id: 'prod_1' };
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await withTestApp(
        async (testApp) => {
          testApp.caller.principal = CUSTOMER;
          const { orderId, transactionId } = await testApp.pay(29.5);
          await order(testApp, orderId, EXPENSIVE);
          isPaid = true;
          assert.equal(await testApp.status(transactionId), 'completed');
          assert.deepEqual(paid(testApp), [false]);
          assert.equal(settlement(testApp), name === 'less' ? 'underpaid' : 'mismatch');
        },
        { provider: (store) => openStripe({ apiKey: 'sk_test_1', prices: priceBook(store), url }) },
      )();
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
}

test.run();
