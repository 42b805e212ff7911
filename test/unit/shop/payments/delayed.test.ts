import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { orderLine } from '../../../../src/console/shop/context.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { deliver, FakeStripe } from '../fake-stripe.js';
import { CUSTOMER, OPERATOR, openTestApp, rows, type TestApp, withTestApp } from '../test-app.js';

const stripe = await FakeStripe.open();
const withStripe = (run: (testApp: TestApp) => Promise<void>) =>
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    await run(testApp);
  }, stripe.options());

const sessionEvent = (type: string, ref: string) =>
  stripe.event(`checkout.session.${type}`, { id: ref, object: 'checkout.session', metadata: {} });

const refOf = (testApp: TestApp): string => String(rows(testApp)[0]?.provider_ref);

async function poll(testApp: TestApp): Promise<void> {
  testApp.sql('UPDATE payments SET next_check_at = 1 WHERE next_check_at IS NOT NULL');
  await testApp.shop.reconciler.run();
  await testApp.shop.reconciler.run();
}

/** Every place that could show a link to the checkout page. */
async function links(testApp: TestApp, transactionId: string, orderId: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const path of ['/shop', `/shop?order=${orderId}`]) {
    const { text } = await testApp.call('GET', path, { headers: { accept: 'text/html' } });
    found.push(...(text.match(/href="[^"]*checkout[^"]*"/g) ?? []));
  }
  const { status, headers } = await testApp.call('GET', `/payments/${transactionId}/checkout`);
  if (status !== 409 || headers.location) found.push(status, headers.location);
  const again = await testApp.call('POST', '/payments', {
    body: { value: 19.99 },
    headers: { 'idempotency-key': 'k' },
  });
  if (again.json.checkoutUrl !== null) found.push(again.json.checkoutUrl);
  return found;
}

test(
  'a delayed payment is shown as being processed and does not have a payment link',
  withStripe(async (testApp) => {
    const { transactionId, orderId } = await testApp.pay(19.99, { 'idempotency-key': 'k' });
    assert.ok((await links(testApp, transactionId, orderId)).length > 3, 'an open payment has links');
    stripe.delay(testApp);
    await deliver(testApp, sessionEvent('completed', refOf(testApp)));
    assert.deepEqual(await links(testApp, transactionId, orderId), []);
    assert.equal(await testApp.status(transactionId), 'pending');
    const { text } = await testApp.call('GET', `/shop?order=${orderId}`);
    assert.match(text, /<h2>Being processed<\/h2>/);
    assert.match(text, /<span class="order-status">Being processed<\/span>/);
    testApp.caller.principal = OPERATOR;
    const [view] = JSON.parse((await testApp.call('GET', '/payments')).text);
    assert.deepEqual([view.status, view.processing], ['pending', true]);
    assert.match((await testApp.call('GET', '/shop/admin')).text, /Being processed/);
  }),
);

for (const [name, change] of [
  ['is being processed', { status: 'complete', payment_status: 'unpaid', url: null }],
  ['was paid', { status: 'complete', payment_status: 'paid', url: null }],
  ['has expired', { status: 'expired', url: null }],
] as const) {
  test(
    `the checkout route does not redirect to a dead link for a payment that ${name}`,
    withStripe(async (testApp) => {
      const { transactionId } = await testApp.pay();
      stripe.change(testApp, change);
      const { status, headers } = await testApp.call('GET', `/payments/${transactionId}/checkout`);
      assert.deepEqual([status, headers.location], [409, undefined]);
    }),
  );
}

test(
  'a payment set back to pending after it was paid does not have a payment link',
  withStripe(async (testApp) => {
    const { transactionId, orderId } = await testApp.pay(19.99, { 'idempotency-key': 'k' });
    stripe.change(testApp, { status: 'complete', payment_status: 'paid', url: null });
    assert.equal(await testApp.status(transactionId), 'completed');
    testApp.caller.principal = OPERATOR;
    await testApp.call('PATCH', `/payments/updateStatus/pending/${orderId}`);
    testApp.caller.principal = CUSTOMER;
    assert.deepEqual(await links(testApp, transactionId, orderId), []);
  }),
);

test(
  'a delayed payment completes and settles its order when the webhook reports success',
  withStripe(async (testApp) => {
    const { transactionId, orderId } = await testApp.pay();
    await testApp.call('POST', '/payments/order', { body: { orderId, userId: 2, game_id: 1 } });
    stripe.delay(testApp);
    await deliver(testApp, sessionEvent('completed', refOf(testApp)));
    assert.equal(testApp.sql('SELECT paid_at FROM orders')[0]?.paid_at, null);
    stripe.change(testApp, { payment_status: 'paid' });
    await deliver(testApp, sessionEvent('async_payment_succeeded', refOf(testApp)));
    assert.deepEqual([rows(testApp)[0]?.status, rows(testApp)[0]?.delayed], ['completed', null]);
    assert.notEqual(testApp.sql('SELECT paid_at FROM orders')[0]?.paid_at, null);
    assert.equal(await testApp.status(transactionId), 'completed');
  }),
);

for (const [name, intentStatus] of [
  ['while the payment intent is still processing', 'processing'],
  ['after the payment intent failed', 'requires_payment_method'],
  ['when the payment intent is unknown', undefined],
] as const) {
  test(
    `a delayed payment fails when the webhook reports a failure ${name}`,
    withStripe(async (testApp) => {
      const { transactionId } = await testApp.pay();
      const intent = stripe.delay(testApp);
      await deliver(testApp, sessionEvent('completed', refOf(testApp)));
      if (intentStatus === undefined) stripe.intents.delete(intent);
      else Object.assign(stripe.intents.get(intent) ?? {}, { status: intentStatus });
      const failed = sessionEvent('async_payment_failed', refOf(testApp));
      for (const _time of [1, 2]) await deliver(testApp, failed);
      assert.equal(await testApp.status(transactionId), 'failed');
      const events = testApp.sql("SELECT * FROM payment_events WHERE to_status = 'failed'");
      assert.equal(events.length, 1, 'a replay adds nothing');
    }),
  );
}

test(
  'a failure event that arrives before the event of the completed checkout is not lost',
  withStripe(async (testApp) => {
    const { transactionId } = await testApp.pay();
    await deliver(testApp, sessionEvent('async_payment_failed', refOf(testApp)));
    assert.equal(await testApp.status(transactionId), 'pending', 'the session is still open');
    stripe.delay(testApp);
    await deliver(testApp, sessionEvent('completed', refOf(testApp)));
    assert.equal(await testApp.status(transactionId), 'failed');
  }),
);

test(
  'a failure event for another session changes nothing',
  withStripe(async (testApp) => {
    const { transactionId } = await testApp.pay();
    stripe.delay(testApp);
    const object = { id: 'cs_other', metadata: { transaction_id: transactionId } };
    await deliver(testApp, stripe.event('checkout.session.async_payment_failed', object));
    assert.equal(await testApp.status(transactionId), 'pending');
  }),
);

test(
  'a failed payment completes if the provider subsequently collects the money',
  withStripe(async (testApp) => {
    const { transactionId } = await testApp.pay();
    stripe.delay(testApp);
    await deliver(testApp, sessionEvent('async_payment_failed', refOf(testApp)));
    assert.equal(await testApp.status(transactionId), 'failed');
    stripe.change(testApp, { payment_status: 'paid' });
    await deliver(testApp, sessionEvent('async_payment_succeeded', refOf(testApp)));
    assert.equal(await testApp.status(transactionId), 'completed');
  }),
);

for (const type of ['expired', 'async_payment_failed'] as const) {
  test(
    `a completed payment stays completed when ${type} arrives afterwards`,
    withStripe(async (testApp) => {
      const { transactionId } = await testApp.pay();
      stripe.change(testApp, { status: 'complete', payment_status: 'paid', url: null });
      await deliver(testApp, sessionEvent('completed', refOf(testApp)));
      stripe.change(testApp, {
        status: type === 'expired' ? 'expired' : 'complete',
        payment_status: 'unpaid',
      });
      await deliver(testApp, sessionEvent(type, refOf(testApp)));
      assert.equal(await testApp.status(transactionId), 'completed');
      assert.equal(rows(testApp)[0]?.next_check_at, null);
    }),
  );
}

for (const [intentStatus, expected] of [
  ['requires_payment_method', 'failed'],
  ['canceled', 'failed'],
  ['succeeded', 'completed'],
  ['processing', 'pending'],
  ['requires_action', 'pending'],
] as const) {
  test(`a delayed payment is ${expected} after a restart without webhooks when its payment intent is ${intentStatus}`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-delayed-'));
    const before = await openTestApp(dir, stripe.options());
    await before.pay();
    const intent = stripe.delay(before);
    await poll(before);
    assert.deepEqual([rows(before)[0]?.status, rows(before)[0]?.delayed], ['pending', 'processing']);
    await before.close();
    stripe.intents.set(intent, { id: intent, object: 'payment_intent', status: intentStatus });
    const after = await openTestApp(dir, stripe.options());
    await poll(after);
    assert.equal(rows(after)[0]?.status, expected);
    assert.equal(rows(after)[0]?.next_check_at === null, expected !== 'pending');
    await after.close();
    rmSync(dir, { recursive: true });
  });
}

test(
  'polling a payment that is being processed does not cause writes',
  withStripe(async (testApp) => {
    const { transactionId } = await testApp.pay();
    stripe.delay(testApp);
    await testApp.status(transactionId);
    const before = [rows(testApp), testApp.sql('SELECT * FROM payment_events')];
    for (const _time of [1, 2, 3]) await testApp.status(transactionId);
    assert.deepEqual([rows(testApp), testApp.sql('SELECT * FROM payment_events')], before);
  }),
);

test(
  'the Dutch orders list shows that a payment is being processed',
  withStripe(async (testApp) => {
    const { transactionId } = await testApp.pay();
    stripe.delay(testApp);
    await testApp.status(transactionId);
    const row = testApp.shop.payments.find(transactionId);
    const line = withLanguage('nl', () => orderLine(row, [])) as Record<string, unknown>;
    assert.deepEqual([line.status, line.payHref], ['Wordt verwerkt', null]);
  }),
);

test.after(() => stripe.close());
test.run();
