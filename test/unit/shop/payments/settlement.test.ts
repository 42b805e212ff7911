import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import { openStripe } from '../../../../src/adapters/payments/stripe.js';
import { atShop, type Created, CUSTOMER, MACHINE, OPERATOR, priceBook, rows, type Site } from '../site.js';

/** Games of the first catalogue: 2 costs 9.99, 3 costs 29.50. */
const [CHEAP, DEAR] = [2, 3];
const OTHER = { ...CUSTOMER, userId: 3, caller: '3', name: 'cas' };

const order = (site: Site, orderId: string, game_id: number, userId = 2) =>
  site.call('POST', '/payments/order', { body: { orderId, userId, game_id } });

/** Pays at the provider and reads the status. */
async function settle(site: Site, { ref, transactionId }: Created): Promise<void> {
  await site.sandbox.choose(ref, 'pay');
  assert.equal(await site.status(transactionId), 'completed', "the provider's word stays");
}

const paid = (site: Site): boolean[] =>
  site.sql('SELECT paid_at FROM orders ORDER BY id').map(({ paid_at }) => paid_at !== null);
const settlement = (site: Site): unknown => rows(site)[0]?.settlement;

/** The payment as operators read it. */
async function viewed(site: Site): Promise<Record<string, unknown>> {
  site.who.principal = OPERATOR;
  const [view] = JSON.parse((await site.call('GET', '/payments')).text);
  return view;
}

const asCustomer = (test: (site: Site) => Promise<void>) =>
  atShop(async (site) => {
    site.who.principal = CUSTOMER;
    await test(site);
  });

test(
  'a payment of 0.01 leaves its order of 29.50 unpaid and shows operators why',
  asCustomer(async (site) => {
    const payment = await site.pay(0.01);
    assert.equal((await order(site, payment.orderId, DEAR)).status, 201);
    await site.call('POST', '/payments/cart/2', { body: { game_id: DEAR } });
    await settle(site, payment);
    assert.deepEqual(paid(site), [false]);
    assert.equal(site.sql('SELECT * FROM cart_items').length, 1, 'the basket is not emptied');
    assert.match((await site.call('GET', '/shop')).text, /Underpaid/);
    const view = await viewed(site);
    assert.deepEqual([view.status, view.settlement, view.paid], ['completed', 'underpaid', 0.01]);
    assert.match(JSON.stringify(view.events), /underpaid: EUR 29.50 ordered, EUR 0.01 paid/);
    assert.match(
      (await site.call('GET', '/shop/admin')).text,
      /<strong>€0\.01<\/strong> <span[^>]*>Underpaid/,
    );
  }),
);

test(
  'a payment settles lines that cost what was paid, or less',
  asCustomer(async (site) => {
    const exact = await site.pay(39.49);
    for (const game of [CHEAP, DEAR]) assert.equal((await order(site, exact.orderId, game)).status, 201);
    await settle(site, exact);
    assert.deepEqual(paid(site), [true, true]);
    assert.equal(settlement(site), 'settled');
    const over = await site.pay(30);
    await order(site, over.orderId, DEAR);
    await settle(site, over);
    assert.deepEqual(paid(site), [true, true, true]);
  }),
);

test(
  'a line keeps the price that it had when it was ordered',
  asCustomer(async (site) => {
    const payment = await site.pay(29.5);
    await order(site, payment.orderId, DEAR);
    site.sql(`UPDATE games SET price_minor = 1 WHERE id = ${CHEAP}`);
    site.sql(`UPDATE games SET price_minor = 9900 WHERE id = ${DEAR}`);
    await settle(site, payment);
    assert.deepEqual(paid(site), [true]);
  }),
);

test(
  'a completed payment takes no further line, and a line that it has may be sent again',
  asCustomer(async (site) => {
    const payment = await site.pay(39.49);
    await order(site, payment.orderId, CHEAP);
    await settle(site, payment);
    const { status, json } = await order(site, payment.orderId, DEAR);
    assert.deepEqual([status, json.code], [409, 'CONFLICT']);
    assert.equal((await order(site, payment.orderId, CHEAP)).status, 201);
    assert.deepEqual(paid(site), [true]);
  }),
);

test(
  "lines on another customer's payment are refused, whoever sends them",
  asCustomer(async (site) => {
    const { orderId } = await site.pay(9.99);
    site.who.principal = OTHER;
    assert.equal((await order(site, orderId, CHEAP, 3)).status, 403);
    for (const staff of [OPERATOR, MACHINE]) {
      site.who.principal = staff;
      assert.equal((await order(site, orderId, CHEAP, 3)).status, 403);
    }
    const till = await site.pay(9.99);
    site.who.principal = OTHER;
    assert.equal(
      (await order(site, till.orderId, CHEAP, 3)).status,
      403,
      "a machine's payment is the till's",
    );
    assert.deepEqual(paid(site), []);
  }),
);

for (const [name, staff] of [
  ['a machine', MACHINE],
  ['an operator', OPERATOR],
] as const) {
  test(
    `${name} pays for the lines of one customer`,
    atShop(async (site) => {
      site.who.principal = staff;
      const payment = await site.pay(29.5);
      assert.equal((await order(site, payment.orderId, DEAR)).status, 201);
      assert.equal((await order(site, payment.orderId, CHEAP, 3)).status, 403, 'not of a second one');
      await settle(site, payment);
      assert.deepEqual(paid(site), [true]);
    }),
  );
}

test(
  'lines of two customers, left by an earlier version, are not settled',
  asCustomer(async (site) => {
    const payment = await site.pay(100);
    await order(site, payment.orderId, CHEAP);
    site.sql(`INSERT INTO orders (order_id, user_id, game_id, price_minor, currency, created_at)
      VALUES ('${payment.orderId}', 3, ${CHEAP}, 999, 'EUR', 1)`);
    await settle(site, payment);
    assert.deepEqual([paid(site), settlement(site)], [[false, false], 'mismatch']);
  }),
);

test(
  'a game with its price in another currency is refused on a payment',
  asCustomer(async (site) => {
    const { orderId } = await site.pay(29.5);
    site.sql(`UPDATE games SET currency = 'SEK' WHERE id = ${DEAR}`);
    assert.equal((await order(site, orderId, DEAR)).status, 409);
  }),
);

test(
  'a payment that an operator completes by hand settles by its own amount',
  asCustomer(async (site) => {
    const [low, full] = [await site.pay(0.01), await site.pay(29.5)];
    for (const { orderId } of [low, full]) await order(site, orderId, DEAR);
    site.who.principal = OPERATOR;
    for (const { orderId } of [low, full]) {
      const { status, json } = await site.call('PATCH', `/payments/updateStatus/completed/${orderId}`);
      assert.deepEqual([status, json], [200, { success: true }]);
    }
    assert.deepEqual(paid(site), [false, true]);
    await site.call('PATCH', `/payments/updateStatus/failed/${full.orderId}`);
    assert.deepEqual(paid(site), [false, false], 'taken back');
  }),
);

for (const [name, amount, currency] of [
  ['less', 1, 'eur'],
  ['another currency', 2950, 'sek'],
] as const) {
  test(`an order is not settled when the provider collected ${name}`, async () => {
    let isPaid = false;
    let metadata = {};
    const server = createServer(async (req, res) => {
      let form = '';
      for await (const chunk of req.setEncoding('utf8')) form += chunk;
      const sent = new URLSearchParams(form);
      if (sent.has('metadata[transaction_id]'))
        metadata = { transaction_id: sent.get('metadata[transaction_id]') };
      const session = {
        ...{ id: 'cs_1', url: 'http://x/', metadata, amount_total: amount, currency },
        ...(isPaid
          ? { status: 'complete', payment_status: 'paid' }
          : { status: 'open', payment_status: 'unpaid' }),
      };
      const answer = req.url?.includes('sessions')
        ? session
        : req.url?.includes('prices')
          ? { id: 'price_1', unit_amount: 2950, currency: 'eur' }
          : { id: 'prod_1' };
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await atShop(
        async (site) => {
          site.who.principal = CUSTOMER;
          const { orderId, transactionId } = await site.pay(29.5);
          await order(site, orderId, DEAR);
          isPaid = true;
          assert.equal(await site.status(transactionId), 'completed');
          assert.deepEqual(paid(site), [false]);
          assert.equal(settlement(site), name === 'less' ? 'underpaid' : 'mismatch');
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
