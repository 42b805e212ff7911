import assert from 'node:assert/strict';
import { test } from 'uvu';
import { pruneUnpaid } from '../../../../src/app/composition/shop.js';
import { MAX_UNPAID_LINES, MAX_UNPAID_PAYMENTS } from '../../../../src/shop/orders/customer-limits.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { CUSTOMER, OPERATOR, rows, type TestApp, withTestApp } from '../test-app.js';

const DAY_MS = 86_400_000;

const order = (testApp: TestApp, orderId: string, userId = 2, game_id = 1) =>
  testApp.call('POST', '/payments/order', { body: { orderId, userId, game_id } });

test(
  'limits the number of unpaid payments for customers, but not for operators',
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    const last = await testApp.pay();
    testApp.sql(`
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_UNPAID_PAYMENTS})
      INSERT INTO payments (transaction_id, order_id, user_id, amount_minor, currency, provider, return_url, created_at,
        updated_at) SELECT printf('%036d', i), 'o' || i, 2, 1, 'EUR', 'sandbox', '', 1, 1 FROM n`);
    const refused = await testApp.call('POST', '/payments', { body: { value: 1 } });
    assert.deepEqual([refused.status, refused.json.code], [429, 'RATE']);
    assert.equal(rows(testApp).length, MAX_UNPAID_PAYMENTS);
    await testApp.sandbox.choose(last.ref, 'pay');
    await testApp.status(last.transactionId);
    assert.equal(
      (await testApp.call('POST', '/payments', { body: { value: 1 } })).status,
      201,
      'after one is paid',
    );
    testApp.caller.principal = OPERATOR;
    testApp.sql('UPDATE payments SET user_id = 1');
    assert.equal((await testApp.call('POST', '/payments', { body: { value: 1 } })).status, 201);
  }),
);

test(
  "limits the number of a customer's unpaid order lines",
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    testApp.sql(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_UNPAID_LINES})
      INSERT INTO orders (order_id, user_id, game_id, created_at) SELECT 'o' || i, 2, 1, i FROM n`);
    assert.equal((await order(testApp, 'one more')).status, 429);
    await testApp.call('POST', '/payments/cart/2', { body: { game_id: 1 } });
    const { nonce = '' } =
      /name="nonce" value="(?<nonce>[^"]+)"/.exec((await testApp.call('GET', '/shop')).text)?.groups ?? {};
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await testApp.call('POST', '/shop/checkout', { body: `nonce=${nonce}`, headers });
    assert.equal(form.status, 429);
    testApp.caller.principal = OPERATOR;
    assert.equal((await order(testApp, 'one more')).status, 201, 'placed by an operator');
  }),
);

async function prune(testApp: TestApp): Promise<void> {
  const clock = new FakeClock();
  clock.advance(Date.now() - clock.wallTime());
  const written: Promise<unknown>[] = [];
  const store: Pick<TestApp['store'], 'write'> = {
    write: <T>(name: string, args: object) => {
      const done = testApp.store.write<T>(name, args);
      written.push(done);
      return done;
    },
  };
  const pruner = pruneUnpaid({ store, clock, log: new RecordingLog() });
  clock.advance(60_000);
  while (written.length > 0) await written.shift();
  pruner.stop();
}

/** Moves the times of all rows into the past. Temporarily drops the trigger that makes events append-only. */
function age(testApp: TestApp, days: number): void {
  const [trigger] = testApp.sql("SELECT sql FROM sqlite_master WHERE name = 'payment_events_no_update'");
  testApp.sql('DROP TRIGGER payment_events_no_update');
  testApp.sql(`UPDATE payment_events SET at = at - ${days * DAY_MS}`);
  testApp.sql(String(trigger?.sql));
  testApp.sql(
    `UPDATE payments SET created_at = created_at - ${days * DAY_MS}, updated_at = updated_at - ${days * DAY_MS}`,
  );
  testApp.sql(`UPDATE orders SET created_at = created_at - ${days * DAY_MS}`);
  testApp.sql(`UPDATE sandbox_checkouts SET created_at = created_at - ${days * DAY_MS}`);
}

test(
  'deletes failed payments and unpaid order lines after 8 days, and keeps all others',
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    const [cancelled, open, paid] = [await testApp.pay(), await testApp.pay(), await testApp.pay()];
    for (const { orderId } of [cancelled, open, paid]) await order(testApp, orderId);
    await order(testApp, 'by the customer');
    testApp.caller.principal = OPERATOR;
    await order(testApp, 'by an operator');
    await testApp.sandbox.choose(cancelled.ref, 'cancel');
    await testApp.sandbox.choose(paid.ref, 'pay');
    assert.deepEqual(
      [await testApp.status(cancelled.transactionId), await testApp.status(paid.transactionId)],
      ['failed', 'completed'],
    );
    const remaining = () => ({
      payments: rows(testApp).map(({ order_id }) => order_id),
      lines: testApp.sql('SELECT order_id FROM orders ORDER BY id').map(({ order_id }) => order_id),
      checkouts: testApp.sql('SELECT order_id FROM sandbox_checkouts').length,
    });
    const before = remaining();
    age(testApp, 7);
    await prune(testApp);
    assert.deepEqual(remaining(), before, 'after 7 days');
    age(testApp, 2);
    await prune(testApp);
    assert.deepEqual(remaining(), {
      payments: [open.orderId, paid.orderId],
      lines: [open.orderId, paid.orderId, 'by an operator'],
      checkouts: 2,
    });
    assert.equal(testApp.sql('SELECT DISTINCT transaction_id FROM payment_events').length, 2);
  }),
);

test(
  'keeps the events of any payment that has ever been completed',
  withTestApp(async (testApp) => {
    const { orderId, ref, transactionId } = await testApp.pay();
    for (const status of ['completed', 'failed']) {
      await testApp.call('PATCH', `/payments/updateStatus/${status}/${orderId}`);
    }
    await testApp.sandbox.choose(ref, 'cancel');
    await testApp.status(transactionId);
    age(testApp, 30);
    await prune(testApp);
    assert.equal(rows(testApp).length, 1);
    assert.throws(() => testApp.sql('DELETE FROM payment_events'), /append-only/);
  }),
);

test(
  'one pruning run deletes at most 500 payments',
  withTestApp(async (testApp) => {
    testApp.sql(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO payments (transaction_id, order_id, user_id, amount_minor, currency, provider, return_url, status,
        intent_state, created_at, updated_at)
      SELECT printf('%036d', i), 'o' || i, 2, 1, 'EUR', 'sandbox', '', 'failed', 'abandoned', 1, 1 FROM n`);
    await prune(testApp);
    assert.equal(rows(testApp).length, 700);
  }),
);

test.run();
