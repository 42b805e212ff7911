import assert from 'node:assert/strict';
import { test } from 'uvu';
import { actorJson, userActor } from '../../../../src/shared/actor.js';
import type { PaymentView } from '../../../../src/shop/http/responses.js';
import { ANONYMOUS, CUSTOMER, OPERATOR, rows, withTestApp } from '../test-app.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test(
  'stores a payment of 19.99 as 1999 cents in the gateway and at the provider',
  withTestApp(async (testApp) => {
    const { status, json } = await testApp.call('POST', '/payments', { body: { value: 19.99 } });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(json), ['transactionId', 'orderId', 'checkoutUrl']);
    assert.match(String(json.transactionId), UUID);
    const [row] = rows(testApp);
    assert.deepEqual([row?.amount_minor, row?.currency, row?.intent_state], [1999, 'EUR', 'created']);
    const [checkout] = testApp.sql('SELECT * FROM sandbox_checkouts');
    assert.deepEqual(
      [checkout?.amount_minor, checkout?.currency, checkout?.idempotency_key],
      [1999, 'EUR', json.transactionId],
    );
    assert.equal(json.checkoutUrl, `http://127.0.0.1:${testApp.port}/sandbox/${checkout?.ref}`);
    const { status: found, headers } = await testApp.call('GET', `/payments/${json.transactionId}/checkout`);
    assert.deepEqual([found, headers.location], [303, json.checkoutUrl]);
  }),
);

const INVALID_BODIES: unknown[] = [
  { value: '10' },
  { value: null },
  { value: true },
  { value: [5] },
  {},
  { value: 5, more: 1 },
  [],
  5,
  { value: 0 },
  { value: -1 },
  '{"value":-0}',
  '{"value":1e400}',
  { value: 1e21 },
  { value: 1_000_000 },
  { value: 1.005 },
  { value: 0.001 },
];

for (const body of INVALID_BODIES) {
  const shown = typeof body === 'string' ? body : JSON.stringify(body);
  test(
    `rejects ${shown} and does not call the provider`,
    withTestApp(async (testApp) => {
      const { status, json } = await testApp.call('POST', '/payments', { body });
      assert.deepEqual([status, json.code], [400, 'INVALID_INPUT']);
      assert.deepEqual(Object.keys(json), ['error', 'message', 'code']);
      assert.deepEqual([rows(testApp).length, testApp.sql('SELECT * FROM sandbox_checkouts').length], [0, 0]);
    }),
  );
}

test(
  'stores exact amounts for every decimal notation',
  withTestApp(async (testApp) => {
    for (const value of ['4.35', '0.07', '0.29', '1e-2', '999999.99']) {
      const { status } = await testApp.call('POST', '/payments', { body: `{"value":${value}}` });
      assert.equal(status, 201, value);
    }
    assert.deepEqual(
      rows(testApp).map(({ amount_minor }) => amount_minor),
      [435, 7, 29, 1, 99_999_999],
    );
  }),
);

test(
  'rejects an unreadable body with a JSON error',
  withTestApp(async (testApp) => {
    const type = (name: string) => ({ 'content-type': name });
    const sent = [
      { body: '{"value":', status: 400 },
      { body: '', status: 400, headers: { 'content-length': '0' } },
      { body: 'value=5', status: 415, headers: type('text/plain') },
      { body: `{"value":5${' '.repeat(20_000)}}`, status: 413 },
      { body: '{"value":5}', status: 415, headers: type('application/json; charset=klingon') },
    ];
    for (const { body, status: expected, headers = {} } of sent) {
      const { status, json, text } = await testApp.call('POST', '/payments', { body, headers });
      assert.equal(status, expected, text);
      for (const member of ['error', 'message', 'code']) assert.equal(typeof json[member], 'string', text);
      assert.ok(!/at .*\.js|<html/i.test(text), text);
    }
    assert.equal(rows(testApp).length, 0);
  }),
);

test(
  'a payment stays pending until it is paid or cancelled, even after a declined card',
  withTestApp(async (testApp) => {
    const paid = await testApp.pay();
    assert.equal(await testApp.status(paid.transactionId), 'pending');
    await testApp.sandbox.choose(paid.ref, 'decline');
    assert.equal(await testApp.status(paid.transactionId), 'pending');
    await testApp.sandbox.choose(paid.ref, 'pay');
    assert.equal(await testApp.status(paid.transactionId), 'completed');
    const cancelled = await testApp.pay(5);
    await testApp.sandbox.choose(cancelled.ref, 'cancel');
    assert.equal(await testApp.status(cancelled.transactionId), 'failed');
    const { status } = await testApp.call('GET', `/payments/${cancelled.transactionId}/checkout`);
    assert.equal(status, 409);
  }),
);

test(
  "a status request fails for an invalid ID, or if a pending payment's provider is unreachable",
  withTestApp(async (testApp) => {
    const [done, open] = [await testApp.pay(), await testApp.pay()];
    await testApp.sandbox.choose(done.ref, 'pay');
    assert.equal(await testApp.status(done.transactionId), 'completed');
    testApp.faults.before = async () => {
      throw new Error('connect ECONNREFUSED');
    };
    assert.equal(await testApp.status(done.transactionId), 'completed');
    const get = (id: string) => testApp.call('GET', `/payments/${id}/status`);
    const down = await get(open.transactionId);
    assert.deepEqual([down.status, Object.keys(down.json)], [500, ['error']]);
    const unknown = await get('00000000-0000-4000-8000-000000000000');
    assert.deepEqual([unknown.status, unknown.json.code], [404, 'NOT_FOUND']);
    const malformed = await get('12');
    assert.deepEqual([malformed.status, Object.keys(malformed.json)], [400, ['error']]);
  }),
);

test(
  'finds a transaction through both transaction routes, even when the order ID looks like a path',
  withTestApp(async (testApp) => {
    const { transactionId, orderId } = await testApp.pay();
    for (const path of [`/payments/transaction/${orderId}`, `/payments/${orderId}/transaction`]) {
      const { status, json } = await testApp.call('GET', path);
      assert.deepEqual([status, json], [200, { transactionId }]);
    }
    const get = (path: string) => testApp.call('GET', `/payments/transaction/${path}`);
    assert.deepEqual([(await get('status')).status, (await get('a%2Fb')).status], [404, 404]);
    const broken = await get('%E0%A4%A');
    assert.deepEqual([broken.status, typeof broken.json.error], [400, 'string']);
  }),
);

test(
  'records a manual status and flags a conflict with the provider',
  withTestApp(async (testApp) => {
    const { orderId, transactionId, ref } = await testApp.pay();
    const patch = (path: string) => testApp.call('PATCH', `/payments/updateStatus/${path}`);
    for (const path of ['paid/x', 'completed', '', '/x']) {
      const { status, json } = await patch(path);
      assert.deepEqual([status, Object.keys(json)], [400, ['error']], path);
    }
    assert.equal((await patch('completed/nothing')).status, 404);
    await testApp.sandbox.choose(ref, 'pay');
    assert.equal(await testApp.status(transactionId), 'completed');
    const { status, json } = await patch(`failed/${orderId}`);
    assert.deepEqual([status, json], [200, { success: true }]);
    assert.deepEqual(
      [rows(testApp)[0]?.status, await testApp.status(transactionId)],
      ['failed', 'completed'],
    );
    const last = testApp.sql('SELECT * FROM payment_events ORDER BY id DESC LIMIT 1')[0];
    assert.deepEqual(
      [last?.source, last?.from_status, last?.to_status, last?.conflict, last?.actor],
      ['manual', 'completed', 'failed', 1, actorJson(userActor('anna'))],
    );
    const [view] = (await testApp.call('GET', '/payments')).json as unknown as PaymentView[];
    assert.deepEqual(
      view?.events.map(({ actor }) => actor),
      [null, null, null, 'anna'],
    );
    assert.throws(() => testApp.sql("UPDATE payment_events SET detail = 'x'"), /append-only/);
    assert.throws(() => testApp.sql('DELETE FROM payment_events'), /append-only/);
  }),
);

test(
  'only pending payments can be changed manually when transitions are strict',
  withTestApp(
    async (testApp) => {
      const { orderId } = await testApp.pay();
      const patch = async (status: string) =>
        (await testApp.call('PATCH', `/payments/updateStatus/${status}/${orderId}`)).json;
      assert.deepEqual(await patch('completed'), { success: true });
      assert.deepEqual(await patch('failed'), { success: false });
      assert.deepEqual([rows(testApp)[0]?.status, rows(testApp)[0]?.status_source], ['completed', 'manual']);
    },
    { isStrict: true },
  ),
);

test(
  'a completion reported by the provider overrides a manual status',
  withTestApp(async (testApp) => {
    const { orderId, ref, transactionId } = await testApp.pay();
    await testApp.call('PATCH', `/payments/updateStatus/failed/${orderId}`);
    assert.equal(await testApp.status(transactionId), 'pending', "the provider's status");
    await testApp.sandbox.choose(ref, 'pay');
    assert.equal(await testApp.status(transactionId), 'completed');
    assert.deepEqual([rows(testApp)[0]?.status, rows(testApp)[0]?.status_source], ['completed', 'provider']);
  }),
);

test(
  'customers see only their own payments, and operators see all payments with their events',
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    const own = await testApp.pay();
    assert.equal(await testApp.status(own.transactionId), 'pending');
    testApp.caller.principal = { ...CUSTOMER, userId: 3 };
    for (const path of [
      `${own.transactionId}/status`,
      `transaction/${own.orderId}`,
      `${own.transactionId}/checkout`,
    ]) {
      assert.equal((await testApp.call('GET', `/payments/${path}`)).status, 403, path);
    }
    testApp.caller.principal = ANONYMOUS;
    assert.equal((await testApp.call('POST', '/payments', { body: { value: 1 } })).status, 401);
    testApp.caller.principal = OPERATOR;
    const { text } = await testApp.call('GET', '/payments?limit=1');
    const [view] = JSON.parse(text);
    assert.deepEqual([view.transactionId, view.userId, view.value], [own.transactionId, 2, 19.99]);
    assert.deepEqual(
      view.events.map((event: { source: string }) => event.source),
      ['local', 'provider'],
    );
  }),
);

test.run();
