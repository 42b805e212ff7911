import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { deliver, FakeStripe } from '../fake-stripe.js';
import {
  type Created,
  CUSTOMER,
  OPERATOR,
  openTestApp,
  rows,
  type TestApp,
  withTestApp,
} from '../test-app.js';

const stripe = await FakeStripe.open();
const withStripe = (run: (testApp: TestApp) => Promise<void>) =>
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    await run(testApp);
  }, stripe.options());

/** Creates a payment of 39.49 for an order with lines of 9.99 and 29.50. */
async function order(testApp: TestApp): Promise<Created> {
  const payment = await testApp.pay(39.49);
  for (const game_id of [2, 3]) {
    const body = { orderId: payment.orderId, userId: 2, game_id };
    assert.equal((await testApp.call('POST', '/payments/order', { body })).status, 201);
  }
  return payment;
}

/** Creates an order and pays for it. */
async function bought(testApp: TestApp): Promise<Created & { charge: ReturnType<FakeStripe['pay']> }> {
  const payment = await order(testApp);
  const charge = stripe.pay(testApp);
  assert.equal(await testApp.status(payment.transactionId), 'completed');
  assert.deepEqual(covered(testApp), [true, true]);
  return { ...payment, charge };
}

const covered = ({ sql }: TestApp): boolean[] =>
  sql('SELECT paid_at FROM orders ORDER BY id').map(({ paid_at }) => paid_at !== null);
const returned = (testApp: TestApp): unknown[] => {
  const [row] = rows(testApp);
  return [row?.refunded_minor, row?.disputed_minor, row?.lost_minor];
};

async function run(testApp: TestApp): Promise<void> {
  await testApp.shop.reconciler.run();
  await testApp.shop.reconciler.run();
}

test(
  'a fully refunded payment does not cover order lines, and the refund is shown to the customer and to operators',
  withStripe(async (testApp) => {
    const { transactionId, orderId, charge } = await bought(testApp);
    await deliver(testApp, stripe.refund(charge, 3949));
    assert.deepEqual(
      [returned(testApp), covered(testApp)],
      [
        [3949, 0, 0],
        [false, false],
      ],
    );
    assert.equal(await testApp.status(transactionId), 'completed', 'the status words stay');
    const { text } = await testApp.call('GET', `/shop?order=${orderId}`);
    assert.match(text, /<h2>Refunded<\/h2>/);
    assert.match(text, /<span class="order-status">Refunded<\/span>/);
    assert.match(text, /<p>€\u00a039\.49 refunded<\/p>/);
    testApp.caller.principal = OPERATOR;
    const [view] = JSON.parse((await testApp.call('GET', '/payments')).text);
    assert.deepEqual([view.status, view.refunded, view.settlement], ['completed', 39.49, 'underpaid']);
    assert.match((await testApp.call('GET', '/shop/admin')).text, /<p>€\u00a039\.49 refunded<\/p>/);
    const { json } = { json: JSON.parse((await testApp.call('GET', '/orders/stats')).text) };
    const counts = json.filter(({ orderCount }: { orderCount: number }) => orderCount > 0);
    assert.equal(counts.length, 2, 'the statistics count refunded lines');
  }),
);

test(
  'two partial refunds, delivered in reverse order and repeated, are each counted only once',
  withStripe(async (testApp) => {
    const { charge } = await bought(testApp);
    const [first, second] = [stripe.refund(charge, 500), stripe.refund(charge, 500)];
    for (const event of [second, first, second, first]) await deliver(testApp, event);
    assert.deepEqual(
      [returned(testApp), covered(testApp)],
      [
        [1000, 0, 0],
        [true, false],
      ],
    );
    const details = testApp.sql("SELECT detail FROM payment_events WHERE detail LIKE 'refunded%'");
    assert.deepEqual(details, [{ detail: 'refunded: EUR 10.00' }]);
    assert.match((await testApp.call('GET', '/shop')).text, /Partly refunded/);
  }),
);

test(
  'an event with only the ID of the payment intent finds the payment',
  withStripe(async (testApp) => {
    const { charge } = await bought(testApp);
    charge.amount_refunded = 1000;
    const refund = { id: 're_1', object: 'refund', payment_intent: charge.payment_intent, metadata: {} };
    await deliver(testApp, stripe.event('refund.updated', refund));
    assert.deepEqual(returned(testApp), [1000, 0, 0]);
  }),
);

test(
  'order lines count as paid again after a refund fails',
  withStripe(async (testApp) => {
    const { charge } = await bought(testApp);
    await deliver(testApp, stripe.refund(charge, 3949));
    assert.deepEqual(covered(testApp), [false, false]);
    charge.amount_refunded = 0;
    await deliver(testApp, stripe.event('charge.refund.updated', { payment_intent: charge.payment_intent }));
    assert.deepEqual(
      [returned(testApp), covered(testApp)],
      [
        [0, 0, 0],
        [true, true],
      ],
    );
  }),
);

test(
  'a refund event that arrives before the event of the payment is not lost',
  withStripe(async (testApp) => {
    const { transactionId } = await order(testApp);
    const charge = stripe.pay(testApp);
    charge.metadata = { transaction_id: transactionId };
    await deliver(testApp, stripe.refund(charge, 3949));
    assert.deepEqual([rows(testApp)[0]?.status, returned(testApp)], ['completed', [3949, 0, 0]]);
    assert.deepEqual(covered(testApp), [false, false]);
  }),
);

test(
  'a refund takes effect immediately when the payment cannot be read from the provider',
  withStripe(async (testApp) => {
    const { charge } = await bought(testApp);
    const event = stripe.refund(charge, 3949);
    stripe.isDown = true;
    await deliver(testApp, event);
    stripe.isDown = false;
    assert.deepEqual(
      [returned(testApp), covered(testApp)],
      [
        [3949, 0, 0],
        [false, false],
      ],
    );
    assert.notEqual(rows(testApp)[0]?.next_check_at, null, 'the provider is read later');
  }),
);

test(
  'a refund does not remove games that the customer added to the basket after the payment',
  withStripe(async (testApp) => {
    const payment = await testApp.pay(50);
    const body = { orderId: payment.orderId, userId: 2, game_id: 2 };
    await testApp.call('POST', '/payments/order', { body });
    const charge = stripe.pay(testApp);
    await testApp.status(payment.transactionId);
    await testApp.call('POST', '/payments/cart/2', { body: { game_id: 2 } });
    await deliver(testApp, stripe.refund(charge, 1000));
    assert.deepEqual(covered(testApp), [true]);
    assert.equal(testApp.sql('SELECT * FROM cart_items').length, 1);
  }),
);

test(
  'a disputed payment covers its order lines until the dispute is lost',
  withStripe(async (testApp) => {
    const { charge } = await bought(testApp);
    const dispute = stripe.dispute(charge, 3949);
    await deliver(testApp, stripe.event('charge.dispute.created', dispute));
    assert.deepEqual(
      [returned(testApp), covered(testApp)],
      [
        [0, 3949, 0],
        [true, true],
      ],
    );
    assert.match((await testApp.call('GET', '/shop')).text, /Disputed/);
    dispute.status = 'lost';
    await deliver(testApp, stripe.event('charge.dispute.closed', dispute));
    assert.deepEqual(
      [returned(testApp), covered(testApp)],
      [
        [0, 0, 3949],
        [false, false],
      ],
    );
    assert.match((await testApp.call('GET', '/shop')).text, /€\u00a039\.49 lost in a dispute/);
  }),
);

for (const status of ['won', 'warning_closed'] as const) {
  test(
    `a dispute closed as ${status} leaves the order lines covered, even when its first event arrives last`,
    withStripe(async (testApp) => {
      const { charge } = await bought(testApp);
      const dispute = stripe.dispute(charge, 3949);
      const created = stripe.event('charge.dispute.created', dispute);
      dispute.status = status;
      await deliver(testApp, stripe.event('charge.dispute.closed', dispute));
      await deliver(testApp, created);
      assert.deepEqual(
        [returned(testApp), covered(testApp)],
        [
          [0, 0, 0],
          [true, true],
        ],
      );
    }),
  );
}

test(
  'a payment that is partly refunded and otherwise lost in a dispute does not cover order lines',
  withStripe(async (testApp) => {
    const { charge } = await bought(testApp);
    await deliver(testApp, stripe.refund(charge, 1000));
    const dispute = stripe.dispute(charge, 2949, 'lost');
    await deliver(testApp, stripe.event('charge.dispute.closed', dispute));
    assert.deepEqual(
      [returned(testApp), covered(testApp)],
      [
        [1000, 0, 2949],
        [false, false],
      ],
    );
  }),
);

for (const [name, change] of [
  ['refund', (charge: ReturnType<FakeStripe['pay']>) => stripe.refund(charge, 3949)],
  [
    'lost dispute',
    (charge: ReturnType<FakeStripe['pay']>) =>
      stripe.event('charge.dispute.closed', stripe.dispute(charge, 3949, 'lost')),
  ],
] as const) {
  test(`a ${name} whose webhook was lost is found exactly once after a restart`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-refunds-'));
    const before = await openTestApp(dir, stripe.options());
    before.caller.principal = CUSTOMER;
    const { charge } = await bought(before);
    await before.close();
    change(charge);
    const after = await openTestApp(dir, stripe.options());
    await after.shop.eventFeed.run();
    await run(after);
    assert.deepEqual(covered(after), [false, false]);
    const events = after.sql('SELECT count(*) AS n FROM payment_events');
    await after.shop.eventFeed.run();
    await run(after);
    assert.deepEqual(after.sql('SELECT count(*) AS n FROM payment_events'), events);
    await after.close();
    rmSync(dir, { recursive: true });
  });
}

test(
  'events that cannot be listed are read in the next round',
  withStripe(async (testApp) => {
    const { charge } = await bought(testApp);
    stripe.refund(charge, 3949);
    stripe.isDown = true;
    await testApp.shop.eventFeed.run();
    stripe.isDown = false;
    assert.equal(testApp.sql("SELECT * FROM shop_facts WHERE name = 'provider-events'").length, 0);
    await testApp.shop.eventFeed.run();
    await run(testApp);
    assert.deepEqual(returned(testApp), [3949, 0, 0]);
  }),
);

test(
  "events of another shop's payments change nothing",
  withStripe(async (testApp) => {
    await bought(testApp);
    const charge = {
      id: 'ch_x',
      object: 'charge',
      payment_intent: 'pi_x',
      amount_refunded: 5,
      currency: 'eur',
    };
    const { status } = await deliver(testApp, stripe.event('charge.refunded', charge));
    assert.deepEqual([status, returned(testApp), covered(testApp)], [200, [0, 0, 0], [true, true]]);
  }),
);

test.after(() => stripe.close());
test.run();
