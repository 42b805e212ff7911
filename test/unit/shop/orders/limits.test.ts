import assert from 'node:assert/strict';
import { test } from 'uvu';
import { pruneUnpaid } from '../../../../src/gateway/parts/modules.js';
import { MAX_UNPAID_LINES, MAX_UNPAID_PAYMENTS } from '../../../../src/shop/orders/limits.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { atShop, CUSTOMER, OPERATOR, rows, type Site } from '../site.js';

const DAY_MS = 86_400_000;

const order = (site: Site, orderId: string, userId = 2, game_id = 1) =>
  site.call('POST', '/payments/order', { body: { orderId, userId, game_id } });

test(
  'a customer has a limited number of unpaid payments, and an operator has not',
  atShop(async (site) => {
    site.who.principal = CUSTOMER;
    const last = await site.pay();
    site.sql(`
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_UNPAID_PAYMENTS})
      INSERT INTO payments (transaction_id, order_id, user_id, amount_minor, currency, provider, return_url, created_at,
        updated_at) SELECT printf('%036d', i), 'o' || i, 2, 1, 'EUR', 'sandbox', '', 1, 1 FROM n`);
    const refused = await site.call('POST', '/payments', { body: { value: 1 } });
    assert.deepEqual([refused.status, refused.json.code], [429, 'RATE']);
    assert.equal(rows(site).length, MAX_UNPAID_PAYMENTS);
    await site.sandbox.choose(last.ref, 'pay');
    await site.status(last.transactionId);
    assert.equal((await site.call('POST', '/payments', { body: { value: 1 } })).status, 201, 'one is paid');
    site.who.principal = OPERATOR;
    site.sql('UPDATE payments SET user_id = 1');
    assert.equal((await site.call('POST', '/payments', { body: { value: 1 } })).status, 201);
  }),
);

test(
  'a customer has a limited number of unpaid lines',
  atShop(async (site) => {
    site.who.principal = CUSTOMER;
    site.sql(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_UNPAID_LINES})
      INSERT INTO orders (order_id, user_id, game_id, created_at) SELECT 'o' || i, 2, 1, i FROM n`);
    assert.equal((await order(site, 'one more')).status, 429);
    await site.call('POST', '/payments/cart/2', { body: { game_id: 1 } });
    const { nonce = '' } =
      /name="nonce" value="(?<nonce>[^"]+)"/.exec((await site.call('GET', '/shop')).text)?.groups ?? {};
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await site.call('POST', '/shop/checkout', { body: `nonce=${nonce}`, headers });
    assert.equal(form.status, 429);
    site.who.principal = OPERATOR;
    assert.equal((await order(site, 'one more')).status, 201, 'an operator decides');
  }),
);

/** Runs the pruner's round on a clock of its own and awaits its writes. */
async function prune(site: Site): Promise<void> {
  const clock = new FakeClock();
  clock.advance(Date.now() - clock.wallTime());
  const written: Promise<unknown>[] = [];
  const store: Pick<Site['store'], 'write'> = {
    write: <T>(name: string, args: object) => {
      const done = site.store.write<T>(name, args);
      written.push(done);
      return done;
    },
  };
  const pruner = pruneUnpaid({ store, clock, log: new RecordingLog() });
  clock.advance(60_000);
  while (written.length > 0) await written.shift();
  pruner.stop();
}

/** Moves everything so many days into the past: events too, which only a dropped trigger allows. */
function age(site: Site, days: number): void {
  const [trigger] = site.sql("SELECT sql FROM sqlite_master WHERE name = 'payment_events_no_update'");
  site.sql('DROP TRIGGER payment_events_no_update');
  site.sql(`UPDATE payment_events SET at = at - ${days * DAY_MS}`);
  site.sql(String(trigger?.sql));
  site.sql(
    `UPDATE payments SET created_at = created_at - ${days * DAY_MS}, updated_at = updated_at - ${days * DAY_MS}`,
  );
  site.sql(`UPDATE orders SET created_at = created_at - ${days * DAY_MS}`);
  site.sql(`UPDATE sandbox_checkouts SET created_at = created_at - ${days * DAY_MS}`);
}

test(
  'what was given up unpaid is removed after eight days, and nothing else is',
  atShop(async (site) => {
    site.who.principal = CUSTOMER;
    const [cancelled, open, paid] = [await site.pay(), await site.pay(), await site.pay()];
    for (const { orderId } of [cancelled, open, paid]) await order(site, orderId);
    await order(site, 'by the customer');
    site.who.principal = OPERATOR;
    await order(site, 'by an operator');
    await site.sandbox.choose(cancelled.ref, 'cancel');
    await site.sandbox.choose(paid.ref, 'pay');
    assert.deepEqual(
      [await site.status(cancelled.transactionId), await site.status(paid.transactionId)],
      ['failed', 'completed'],
    );
    const kept = () => ({
      payments: rows(site).map(({ order_id }) => order_id),
      lines: site.sql('SELECT order_id FROM orders ORDER BY id').map(({ order_id }) => order_id),
      theirs: site.sql('SELECT order_id FROM sandbox_checkouts').length,
    });
    const before = kept();
    age(site, 7);
    await prune(site);
    assert.deepEqual(kept(), before, 'too young');
    age(site, 2);
    await prune(site);
    assert.deepEqual(kept(), {
      payments: [open.orderId, paid.orderId],
      lines: [open.orderId, paid.orderId, 'by an operator'],
      theirs: 2,
    });
    assert.equal(site.sql('SELECT DISTINCT transaction_id FROM payment_events').length, 2);
  }),
);

test(
  'the record of a payment that was completed once is never removed',
  atShop(async (site) => {
    const { orderId, ref, transactionId } = await site.pay();
    for (const word of ['completed', 'failed']) {
      await site.call('PATCH', `/payments/updateStatus/${word}/${orderId}`);
    }
    await site.sandbox.choose(ref, 'cancel');
    await site.status(transactionId);
    age(site, 30);
    await prune(site);
    assert.equal(rows(site).length, 1);
    assert.throws(() => site.sql('DELETE FROM payment_events'), /append-only/);
  }),
);

test(
  'one round removes a bounded number',
  atShop(async (site) => {
    site.sql(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO payments (transaction_id, order_id, user_id, amount_minor, currency, provider, return_url, status,
        intent_state, created_at, updated_at)
      SELECT printf('%036d', i), 'o' || i, 2, 1, 'EUR', 'sandbox', '', 'failed', 'abandoned', 1, 1 FROM n`);
    await prune(site);
    assert.equal(rows(site).length, 700);
  }),
);

test.run();
