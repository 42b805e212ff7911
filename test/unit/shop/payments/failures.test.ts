import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { LostWrites, RestoreReport, StoreStatus } from '../../../../src/shared/ports/store.js';
import { openPlain } from '../../../../src/store/connection.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { until } from '../../../helpers/until.js';
import {
  CUSTOMER,
  type HttpResponse,
  MACHINE,
  OPERATOR,
  openTestApp,
  rows,
  type TestApp,
  withTestApp,
} from '../test-app.js';

const connectionRefused = async (): Promise<void> => {
  throw new Error('connect ECONNREFUSED');
};

function assertLoginFailed({ status, json, text }: HttpResponse): void {
  assert.equal(status, 500, text);
  assert.deepEqual(Object.keys(json), ['error', 'message', 'code']);
  assert.equal(json.code, 'LOGIN_FAILED');
  assert.match(String(json.message), /^Login failed/);
}

const post = (testApp: TestApp, key?: string, value = 19.99): Promise<HttpResponse> =>
  testApp.call('POST', '/payments', {
    body: { value },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

/** Makes all payments due and runs the reconciler. */
async function reconcile(testApp: TestApp): Promise<void> {
  testApp.sql('UPDATE payments SET next_check_at = 1 WHERE next_check_at IS NOT NULL');
  await testApp.shop.reconciler.run();
  await testApp.shop.reconciler.run();
}

/** Provider deadlines expire only when a test advances this clock. */
const deadlineClock = new FakeClock();

const checkouts = (testApp: TestApp) => testApp.sql('SELECT * FROM sandbox_checkouts');

test(
  'a payment fails when the provider is unreachable, but its payment intent remains stored',
  withTestApp(async (testApp) => {
    testApp.faults.before = connectionRefused;
    assertLoginFailed(await post(testApp));
    assert.deepEqual([rows(testApp).length, rows(testApp)[0]?.intent_state], [1, 'creating']);
    assert.equal(await testApp.status(String(rows(testApp)[0]?.transaction_id)), 'pending');
  }),
);

test(
  'finds a payment after a lost response, and marks it as failed if the client cannot retry it',
  withTestApp(async (testApp) => {
    testApp.faults.after = connectionRefused;
    assertLoginFailed(await post(testApp));
    assertLoginFailed(await post(testApp, 'again'));
    delete testApp.faults.after;
    await reconcile(testApp);
    assert.equal(checkouts(testApp).length, 2);
    const [lost, keyed] = rows(testApp);
    assert.deepEqual([lost?.intent_state, lost?.status], ['created', 'failed'], 'cannot be requested again');
    assert.deepEqual([keyed?.intent_state, keyed?.status], ['created', 'pending']);
    const { status, json } = await post(testApp, 'again');
    assert.deepEqual([status, json.transactionId], [201, keyed?.transaction_id]);
    assert.equal(checkouts(testApp).length, 2);
  }),
);

for (const [name, code] of [
  ['a replayable failure', 'PROVIDER_FAILED'],
  ['an unclear failure', 'PROVIDER_UNCLEAR'],
] as const) {
  test(
    `retries a payment after ${name} with ${code === 'PROVIDER_FAILED' ? 'a new key' : 'the same key'}`,
    withTestApp(async (testApp) => {
      testApp.faults.before = async (call) => {
        if (call === 'create') throw new GatewayError(code, 'no');
      };
      assertLoginFailed(await post(testApp, 'k'));
      delete testApp.faults.before;
      await reconcile(testApp);
      const [row] = rows(testApp);
      const id = String(row?.transaction_id);
      assert.deepEqual(
        checkouts(testApp).map((checkout) => checkout.idempotency_key),
        [code === 'PROVIDER_FAILED' ? `${id}:2` : id],
      );
      assert.deepEqual([row?.intent_state, row?.status], ['created', 'pending']);
    }),
  );
}

test(
  "abandons an intent that is older than its idempotency key's lifetime or that the provider rejects",
  withTestApp(async (testApp) => {
    testApp.faults.before = connectionRefused;
    assertLoginFailed(await post(testApp));
    delete testApp.faults.before;
    testApp.sql('UPDATE payments SET created_at = created_at - 24 * 3600000');
    await reconcile(testApp);
    assert.deepEqual([rows(testApp)[0]?.intent_state, rows(testApp)[0]?.status], ['abandoned', 'failed']);
    testApp.faults.before = async () => {
      throw new GatewayError('PROVIDER_AMOUNT', 'amount too small', { reason: 'amount-too-small' });
    };
    for (const _time of [1, 2]) {
      const { status, json } = await post(testApp, 'small', 0.01);
      assert.deepEqual([status, json.code, json.reason], [400, 'INVALID_INPUT', undefined]);
    }
    assert.deepEqual(
      rows(testApp).map((row) => [row.intent_state, row.error_reason]),
      [
        ['abandoned', 'no-such-payment'],
        ['abandoned', 'amount-too-small'],
      ],
    );
    assert.equal(checkouts(testApp).length, 0);
  }),
);

test(
  "operators receive the code and the message of a payment's latest error",
  withTestApp(async (testApp) => {
    testApp.faults.before = async () => {
      throw new GatewayError('PROVIDER_UNCLEAR', 'PROVIDER_AMOUNT: no answer');
    };
    assertLoginFailed(await post(testApp, 'k'));
    const [row] = rows(testApp);
    assert.deepEqual([row?.error_code, row?.last_error], ['PROVIDER_UNCLEAR', 'PROVIDER_AMOUNT: no answer']);
    const { json } = await testApp.call('GET', '/payments');
    assert.match(JSON.stringify(json), /"lastError":"PROVIDER_UNCLEAR: PROVIDER_AMOUNT: no answer"/);
  }),
);

test(
  "a customer can create 8 payments at the same time without blocking other customers' payments",
  withTestApp(
    async (testApp) => {
      let calls = 0;
      testApp.faults.before = () => {
        calls += 1;
        return new Promise(() => {});
      };
      testApp.caller.principal = CUSTOMER;
      let rejected = 0;
      const waiting = Array.from({ length: 20 }, async () => {
        const response = await post(testApp);
        if (response.status === 429) rejected += 1;
        return response;
      });
      await until(() => calls + rejected === 20);
      const first = { calls, rejected };
      testApp.caller.principal = { ...CUSTOMER, userId: 3, caller: '3' };
      waiting.push(post(testApp));
      await until(() => calls + rejected === 21);
      assert.equal((await testApp.call('GET', '/games')).status, 200, 'other requests do not wait');
      deadlineClock.advance(300);
      const responses = await Promise.all(waiting);
      assert.deepEqual([first, calls], [{ calls: 8, rejected: 12 }, 9]);
      for (const response of responses.filter(({ status }) => status !== 429)) assertLoginFailed(response);
      for (const { headers, json } of responses.filter(({ status }) => status === 429))
        assert.deepEqual([headers['retry-after'], json.code], ['5', 'RATE']);
      assert.equal(rows(testApp).length, 9, 'a rejected request stores nothing');
    },
    { deadlineMs: 300, clock: deadlineClock },
  ),
);

test(
  'a repeated Idempotency-Key returns the original payment, and is rejected if the body differs',
  withTestApp(async (testApp) => {
    const [first, second] = [await post(testApp, 'k1'), await post(testApp, 'k1')];
    assert.deepEqual([second.status, second.json], [201, first.json]);
    assert.equal((await post(testApp, 'k1', 5)).status, 422);
    const responses = await Promise.all(Array.from({ length: 5 }, () => post(testApp, 'k2')));
    const made = responses.filter(({ status }) => status === 201);
    assert.ok(made.length >= 1);
    assert.equal(new Set(made.map(({ json }) => json.transactionId)).size, 1);
    for (const { status, headers } of responses.filter((response) => response.status !== 201)) {
      assert.deepEqual([status, headers['retry-after']], [409, '2']);
    }
    const transactionIds = new Set([first.json.transactionId]);
    for (const principal of [CUSTOMER, MACHINE, { ...MACHINE, caller: 'key 2' }]) {
      testApp.caller.principal = principal;
      transactionIds.add((await post(testApp, 'k1')).json.transactionId);
    }
    assert.equal(transactionIds.size, 4, 'keys are scoped to the caller');
    assert.equal((await post(testApp, 'k'.repeat(201))).status, 400);
    assert.deepEqual([rows(testApp).length, checkouts(testApp).length], [5, 5]);
  }),
);

test(
  'the reconciler checks an open payment until it is completed',
  withTestApp(async (testApp) => {
    const { ref } = await testApp.pay();
    await reconcile(testApp);
    const [before] = rows(testApp);
    assert.ok(Number(before?.next_check_at) > Date.now(), 'a next check is scheduled');
    await testApp.sandbox.choose(ref, 'pay');
    await reconcile(testApp);
    const [row] = rows(testApp);
    assert.deepEqual([row?.status, row?.status_source, row?.next_check_at], ['completed', 'provider', null]);
  }),
);

test(
  'returns 500 and writes nothing when the database is locked for too long',
  withTestApp(
    async (testApp) => {
      const other = openPlain(join(testApp.dir, 'cartwright.db'), 5000);
      other.exec('BEGIN IMMEDIATE');
      assertLoginFailed(await post(testApp));
      const order = { orderId: 'o', userId: 1, game_id: 1 };
      const { status, json } = await testApp.call('POST', '/payments/order', { body: order });
      assert.deepEqual([status, Object.keys(json), json.success], [500, ['success', 'error'], false]);
      other.exec('ROLLBACK');
      other.close();
      assert.deepEqual([rows(testApp).length, checkouts(testApp).length], [0, 0]);
    },
    { limits: { busyTimeoutMs: 50 } },
  ),
);

test('returns 500 and writes nothing when the disk is full', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-shop-'));
  await (await openTestApp(dir)).close();
  const testApp = await openTestApp(dir, { limits: { minFreeBytes: Number.MAX_SAFE_INTEGER } });
  assertLoginFailed(await post(testApp));
  const emptied = await testApp.call('DELETE', '/payments/cart/1');
  assert.deepEqual([emptied.status, Object.keys(emptied.json)], [500, ['error']]);
  assert.equal((await testApp.call('GET', '/orders/stats')).status, 200);
  assert.equal(rows(testApp).length, 0);
  await testApp.close();
  rmSync(dir, { recursive: true });
});

class EarlyClock extends FakeClock {
  override wallTime(): number {
    return 1000;
  }
}

test(
  'rejects payments while the clock is still set to 1970',
  withTestApp(
    async (testApp) => {
      const { status, json } = await post(testApp);
      assert.deepEqual([status, json.code], [503, 'CLOCK_UNSET']);
      assert.match(String(json.message), /clock/);
      assert.equal(rows(testApp).length, 0);
    },
    { clock: new EarlyClock() },
  ),
);

const RESTORED: RestoreReport = { name: 'backup.db', at: 1, by: 'anna', kept: '' };
const LOST: LostWrites = { code: 'STORE_LOST_WRITES', at: 1, count: 0, kept: '' };

for (const [when, report, shown] of [
  ['the database was restored', { restored: RESTORED }, /restored from a backup/],
  ['writes were lost', { lostWrites: LOST }, /writes were lost/],
  ['writes were lost before a restore', { restored: RESTORED, lostWrites: LOST }, /writes were lost/],
] as const) {
  // Fault case 74
  test(`rejects payments until an administrator has confirmed that ${when}`, () => {
    let current: Pick<StoreStatus, 'restored' | 'lostWrites'> = report;
    return withTestApp(
      async (testApp) => {
        const { status, json } = await post(testApp);
        assert.deepEqual([status, json.code], [503, 'PAYMENTS_OFF']);
        assert.match(String(json.message), shown);
        assert.match(String(json.hint), /System page/);
        assert.equal(rows(testApp).length, 0);
        testApp.caller.principal = CUSTOMER;
        const html = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
        await testApp.call('POST', '/shop/basket', { body: 'game_id=1', headers: html });
        const shop = await testApp.call('GET', '/shop', { headers: html });
        assert.match(shop.text, /<h2>Payments are disabled: /);
        assert.match(shop.text, /<button type="submit" disabled>Check out /);
        const body = `nonce=${'a'.repeat(36)}`;
        const refused = await testApp.call('POST', '/shop/checkout', { body, headers: html });
        assert.equal(refused.status, 503);
        assert.match(refused.text, /aria-current="page"[^>]*>.*Shop|href="\/shop"[^>]*aria-current/);
        assert.match(refused.text, /id="basket-title"/);
        testApp.caller.principal = OPERATOR;
        current = {};
        assert.equal((await post(testApp)).status, 201);
      },
      {
        wrapStore: (store) => ({
          read: store.read,
          unwritableReason: store.unwritableReason,
          wasReplaced: store.wasReplaced,
          write: (name, args) => store.write(name, args),
          status: () => ({ ...store.status(), ...current }),
          onCommit: (listener) => store.onCommit(listener),
          onBackupFailed: (listener) => store.onBackupFailed(listener),
          acknowledgeLostWrites: () => store.acknowledgeLostWrites(),
          confirmRestore: () => store.confirmRestore(),
          backup: () => store.backup(),
          close: () => store.close(),
        }),
      },
    )();
  });
}

test.run();
