import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { openShop } from '../../../../src/app/composition/shop.js';
import { Pages } from '../../../../src/console/layout/pages.js';
import { recordLine } from '../../../../src/console/shop/context.js';
import { systemClock } from '../../../../src/shared/clock.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import type { PaymentRow } from '../../../../src/shop/rows.js';
import { openStore } from '../../../../src/store/store.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { CUSTOMER, MACHINE, OPERATOR, rows, type TestApp, WRITER, withTestApp } from '../../shop/test-app.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
const views = new Pages({ viewsDir: join(packageRoot(), 'views') });
const page = (testApp: TestApp, path: string) =>
  testApp.call('GET', path, { headers: { accept: 'text/html' } });
const send = (testApp: TestApp, path: string, body: string) =>
  testApp.call('POST', path, { body, headers: FORM });

test(
  'a customer can fill a basket, check out and retry a declined card with JavaScript disabled',
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    assert.match((await page(testApp, '/shop')).text, /Your basket is empty/);
    const added = await send(testApp, '/shop/basket', 'game_id=1');
    assert.deepEqual([added.status, added.headers.location], [303, '/shop#basket']);
    await send(testApp, '/shop/basket', 'game_id=2&quantity=3');
    const { text } = await page(testApp, '/shop');
    const total = (19.99 + 3 * 9.99).toFixed(2);
    assert.ok(text.includes(`Check out €\u00a0${total}`), text);
    const nonce = /name="nonce" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const [first, second] = [
      await send(testApp, '/shop/checkout', `nonce=${nonce}`),
      await send(testApp, '/shop/checkout', `nonce=${nonce}`),
    ];
    assert.deepEqual([first.status, first.headers.location], [303, second.headers.location]);
    assert.equal(rows(testApp).length, 1, 'two submissions create one payment');
    const hosted = String(first.headers.location);
    assert.match((await page(testApp, hosted)).text, /SANDBOX: you will not be charged/);
    assert.equal((await send(testApp, hosted, 'choice=decline')).headers.location, hosted);
    assert.match((await page(testApp, hosted)).text, /The card was declined/);
    const paid = await send(testApp, hosted, 'choice=pay');
    const back = await page(testApp, String(paid.headers.location));
    assert.match(back.text, /<h2>Paid<\/h2>/);
    assert.match(back.text, /Your basket is empty/);
    assert.match(back.text, /3 × Beacon Hunt/);
    assert.match((await page(testApp, hosted)).text, /Back to the shop/);
  }),
);

for (const choices of [['decline'], ['cancel'], ['pay'], ['decline', 'pay', 'cancel']]) {
  test(
    `a payment keeps at most one event per choice when the buyer repeats ${choices.join(', ')}`,
    withTestApp(async (testApp) => {
      const { transactionId, ref } = await testApp.pay();
      for (let n = 0; n < 60; n++)
        await send(testApp, `/sandbox/${ref}`, `choice=${choices[n % choices.length]}`);
      await testApp.shop.reconciler.run();
      const events = testApp.shop.reads.events(transactionId);
      const chosen = events.filter(({ source }) => source === 'webhook').map(({ detail }) => detail);
      assert.deepEqual(chosen.toSorted(), choices.map((choice) => `the buyer chose ${choice}`).toSorted());
      assert.ok(events.length <= choices.length + 3, String(events.length));
    }),
  );
}

test(
  'the event that ends a payment contains the number of declines',
  withTestApp(async (testApp) => {
    const { transactionId, ref } = await testApp.pay();
    for (let n = 0; n < 12; n++) await send(testApp, `/sandbox/${ref}`, 'choice=decline');
    await send(testApp, `/sandbox/${ref}`, 'choice=pay');
    assert.equal(await testApp.status(transactionId), 'completed');
    const last = testApp.shop.reads.events(transactionId).at(-1);
    assert.deepEqual([last?.toStatus, last?.detail], ['completed', 'paid, declined 12 times']);
  }),
);

test(
  "the records page changes a game's title, price and sale status, and keeps the input after an error",
  withTestApp(async (testApp) => {
    const path = '/shop/admin/games/1';
    const saved = await send(testApp, path, 'title=Rally+%26+Race&price=7.5');
    assert.deepEqual([saved.status, saved.headers.location], [303, '/shop/admin?done=game-saved']);
    const { title, price, active } = testApp.shop.catalogue.game(1);
    assert.deepEqual({ title, price, active }, { title: 'Rally & Race', price: 7.5, active: false });
    const after = await page(testApp, '/shop/admin?done=game-saved');
    assert.match(after.text, /<h2>Game saved<\/h2>/);
    assert.match(after.text, /name="title" value="Rally &amp; Race"/);

    await send(testApp, path, 'title=Rally&price=8&active=true');
    assert.equal(testApp.shop.catalogue.game(1).active, true);
    for (const body of ['title=&price=8', 'title=Race&price=8.005', 'title=Race&price=cheap']) {
      const failed = await send(testApp, path, body);
      assert.equal(failed.status, 400, body);
      assert.match(failed.text, /<h2>Game not saved<\/h2>/);
      const [, entered = ''] = /price=(.*)/.exec(body) ?? [];
      assert.ok(failed.text.includes(`name="price" value="${entered}"`), body);
    }
    assert.equal(testApp.shop.catalogue.game(1).title, 'Rally');
    assert.equal((await send(testApp, '/shop/admin/games/999', 'title=Race&price=8')).status, 404);
  }),
);

test(
  'saving an outdated records page changes only the fields of a game that the user has edited',
  withTestApp(async (testApp) => {
    const path = '/shop/admin/games/1';
    const { catalogue } = testApp.shop;
    const { text } = await page(testApp, '/shop/admin');
    assert.match(
      text,
      /name="opened" value="{&quot;title&quot;:&quot;Warehouse Rally&quot;,&quot;price&quot;/,
    );
    const opened = JSON.stringify({ title: 'Warehouse Rally', price: '19.99', active: true });
    const older = { title: 'Warehouse Rally', price: '19.99', opened };
    const body = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
    await catalogue.change(1, { price: 24.5 });

    assert.equal((await send(testApp, path, body(older))).status, 303);
    const { price, active } = catalogue.game(1);
    assert.deepEqual({ price, active }, { price: 24.5, active: false });

    assert.equal((await send(testApp, path, body({ ...older, active: 'true' }))).status, 303);
    const refused = await send(testApp, path, body({ ...older, active: 'true', price: '17' }));
    assert.equal(refused.status, 412);
    assert.match(refused.text, /Price \(EUR\) was changed to &quot;24\.50&quot; in the meantime;/);
    assert.match(refused.text, /name="price" value="17"/);
    assert.equal(catalogue.game(1).price, 24.5);
  }),
);

test(
  'the records page withdraws the five sample games of a new gateway from sale',
  withTestApp(async (testApp) => {
    const games = testApp.shop.catalogue.games();
    assert.equal(games.length, 5);
    for (const { id, title } of games)
      await send(testApp, `/shop/admin/games/${id}`, new URLSearchParams({ title, price: '5' }).toString());
    assert.deepEqual(testApp.shop.catalogue.games(), []);
    assert.match((await page(testApp, '/shop')).text, /No games yet\./);
  }),
);

test(
  'the records page shows payments, their events, orders and bar charts, and has no inline styles',
  withTestApp(async (testApp) => {
    const { ref, orderId, transactionId } = await testApp.pay(19.99);
    for (const id of [orderId, 'o']) {
      await testApp.call('POST', '/payments/order', { body: { orderId: id, userId: 1, game_id: 1 } });
    }
    await testApp.sandbox.choose(ref, 'pay');
    await testApp.status(transactionId);
    const { text } = await page(testApp, '/shop/admin');
    const row = (id: string): string =>
      text.match(new RegExp(`<tr><th scope="row">${id}</th>.*?</tr>`))?.[0] ?? '';
    assert.match(row(orderId), /€\u00a019\.99<\/td><td>yes<\/td><\/tr>$/);
    assert.match(row('o'), /€\u00a019\.99<\/td><td>no<\/td><\/tr>$/);
    assert.match(text, /<rect width="100" height="8"\/>/);
    assert.match(text, /Gateway: Not paid yet, created through the API/);
    assert.ok(!/ style=|<script>/.test(text));
    assert.equal((await page(testApp, '/sandbox/sbx_no')).status, 404);
    assert.equal((await send(testApp, '/shop/checkout', 'nonce=1')).status, 400);
  }),
);

const summaries = (html: string) =>
  [...html.matchAll(/<summary>(.*?)<\/summary>/gs)].map(([, summary = '']) =>
    summary
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

test(
  'the records page shows the customer and games of a payment and of its order lines',
  withTestApp(async (testApp) => {
    const [first, second] = [1, 2].map((id) => testApp.shop.catalogue.game(id).title);
    testApp.caller.principal = CUSTOMER;
    const { orderId } = await testApp.pay(40);
    for (const game_id of [1, 2])
      await testApp.call('POST', '/payments/order', { body: { orderId, userId: CUSTOMER.userId, game_id } });
    testApp.caller.principal = OPERATOR;
    const { text } = await page(testApp, '/shop/admin');
    const [shown = ''] = summaries(text);
    assert.ok(shown.endsWith(` bo: ${first}, ${second} order ${orderId}`), shown);
    assert.ok(text.includes(`${orderId}</th><td>${second}</td><td class="num">1</td><td>bo</td>`), text);
  }),
);

test(
  'the records page shows the customer of a payment without games',
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    const { orderId } = await testApp.pay(5);
    testApp.caller.principal = OPERATOR;
    const [shown = ''] = summaries((await page(testApp, '/shop/admin')).text);
    assert.ok(shown.endsWith(` bo order ${orderId}`), shown);
  }),
);

test(
  'the records page shows the games of a payment that an API key created',
  withTestApp(async (testApp) => {
    testApp.caller.principal = MACHINE;
    const { orderId } = await testApp.pay(40);
    await testApp.call('POST', '/payments/order', { body: { orderId, userId: 1, game_id: 3 } });
    testApp.caller.principal = OPERATOR;
    const [shown = ''] = summaries((await page(testApp, '/shop/admin')).text);
    assert.ok(shown.endsWith(`Not paid yet ${testApp.shop.catalogue.game(3).title} order ${orderId}`), shown);
  }),
);

test(
  'the records page shows where to refund a paid Stripe payment',
  withTestApp(async (testApp) => {
    const { ref, transactionId } = await testApp.pay(19.99);
    const shown = (changes: Partial<PaymentRow>): string => {
      const [row] = testApp.shop.reads.newest(1);
      assert.ok(row);
      const parts = { customer: 'bo', lines: [], events: [] };
      return views.render('shop/record', recordLine({ ...row, provider: 'stripe', ...changes }, parts));
    };
    assert.doesNotMatch(shown({}), /refund/i);
    await testApp.sandbox.choose(ref, 'pay');
    await testApp.status(transactionId);
    assert.match(
      shown({}),
      /To refund this payment, open it on Stripe&#39;s website\. The refund then appears here\. <a href="https:.{1,12}dashboard\.stripe\.com.{1,6}payments">/,
    );
    assert.match(shown({ refundedMinor: 1998 }), /To refund this payment/);
    for (const changes of [{ refundedMinor: 1999 }, { refundedMinor: 999, lostMinor: 1000 }])
      assert.doesNotMatch(shown(changes), /To refund this payment/);
  }),
);

test(
  'the records page states that a paid sandbox payment cannot be refunded',
  withTestApp(async (testApp) => {
    const { ref, transactionId } = await testApp.pay(19.99);
    const text = /Sandbox payments cannot be refunded/;
    assert.doesNotMatch((await page(testApp, '/shop/admin')).text, text);
    await testApp.sandbox.choose(ref, 'pay');
    await testApp.status(transactionId);
    assert.match((await page(testApp, '/shop/admin')).text, text);
  }),
);

test('requires an API key for Stripe, and rejects an API key for a test server', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-shop-'));
  const log = new RecordingLog();
  const store = await openStore({ dir, writer: WRITER, clock: systemClock, log });
  const open = (env: NodeJS.ProcessEnv, stripeUrl?: string) =>
    openShop({
      store,
      clock: systemClock,
      log,
      env,
      config: { payments: { provider: 'stripe', ...(stripeUrl === undefined ? {} : { stripeUrl }) } },
    });
  await assert.rejects(open({}), { code: 'CONFIG_INVALID' });
  await assert.rejects(open({ STRIPE_API_KEY: 'sk_live_x' }, 'http://127.0.0.1:1'), {
    code: 'CONFIG_INVALID',
  });
  const { shop, sandbox } = await open({}, 'http://127.0.0.1:1');
  assert.deepEqual([shop.provider.name, sandbox], ['stripe', undefined]);
  shop.close();
  await store.close();
  rmSync(dir, { recursive: true });
});

test.run();
