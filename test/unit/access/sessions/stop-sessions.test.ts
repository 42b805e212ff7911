import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { AccessReads, Account } from '../../../../src/access/reads.js';
import { newToken } from '../../../../src/access/secrets.js';
import { StopSessions } from '../../../../src/access/sessions/stop-sessions.js';
import { userActor } from '../../../../src/shared/actor.js';
import { type ErrorCode, GatewayError } from '../../../../src/shared/errors.js';
import type { Store } from '../../../../src/shared/ports/store.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { totpCode } from '../../../helpers/totp-code.js';
import { PASSWORD, type TestApp, type TestAppOptions, withTestApp } from '../test-app.js';

const HOUR_MS = 3_600_000;
const STEP_MS = 30_000;

/** Replaces the routes for commands, which this test application does not have. */
const options: TestAppOptions = {
  routes: (app) => {
    for (const path of ['/estop', '/stop', '/', '/estop/reset']) {
      app.post(path, (_req, res) => void res.json({ done: true }));
    }
    app.get('/carts', (_req, res) => void res.json([]));
  },
};

function rejectWrites(store: Store, code: ErrorCode = 'STORE_FULL'): void {
  store.write = () => Promise.reject(new GatewayError(code, 'nothing was saved: the disk is full'));
}

/** Logs in while nothing can be saved. */
async function logInUnsaved({ call, store }: TestApp, username: string, code?: string) {
  rejectWrites(store);
  const body = { username, password: PASSWORD, ...(code ? { code } : {}) };
  return await call('POST', '/login', { body, from: '127.0.7.1' });
}

for (const code of ['STORE_FULL', 'STORE_FAILED'] as const) {
  test(
    `an operator can log in, view carts and stop when sessions cannot be saved (${code})`,
    withTestApp(async ({ call, addUser, store }) => {
      await addUser('anna', 'operator');
      rejectWrites(store, code);
      const login = await call('POST', '/login', { body: { username: 'anna', password: PASSWORD } });
      assert.equal(login.status, 201);
      assert.match(String(login.json.message), /permits only viewing pages and stopping carts/);
      const { cookie } = login;
      for (const path of ['/estop', '/stop']) {
        assert.equal((await call('POST', path, { cookie, body: {} })).status, 200, path);
      }
      assert.equal((await call('GET', '/carts', { cookie })).status, 200);
    }, options),
  );
}

test(
  'a session that could not be saved does not permit motion, a reset or any other change',
  withTestApp(async (testApp) => {
    const { call, addUser } = testApp;
    await addUser('root', 'admin');
    const { cookie } = await logInUnsaved(testApp, 'root');
    for (const path of ['/', '/estop/reset', '/users']) {
      const { status, json } = await call('POST', path, { cookie, body: {} });
      assert.deepEqual([path, status, json.code], [path, 403, 'FORBIDDEN']);
      assert.match(String(json.message), /permits only viewing pages and stopping carts/);
    }
  }, options),
);

test(
  'a session that could not be saved ends after 8 hours, at logout, and when the user is disabled',
  withTestApp(async (testApp) => {
    const { call, addUser, access, clock, store } = testApp;
    const { userId } = await addUser('anna', 'operator');
    const write = store.write;
    const isOpen = async (cookie: string) =>
      (await call('POST', '/estop', { cookie, body: {} })).status === 200;

    const first = await logInUnsaved(testApp, 'anna');
    assert.equal((await call('POST', '/logout', { cookie: first.cookie })).status, 200);
    assert.equal(await isOpen(first.cookie), false);

    const second = await logInUnsaved(testApp, 'anna');
    clock.advance(8 * HOUR_MS - 1);
    assert.equal(await isOpen(second.cookie), true);
    clock.advance(1);
    assert.equal(await isOpen(second.cookie), false);

    const third = await logInUnsaved(testApp, 'anna');
    store.write = write;
    await access.users.change(userId, { disabled: true }, userActor('test'));
    assert.equal(await isOpen(third.cookie), false);
  }, options),
);

test(
  'rejects a login when sessions cannot be saved and the password is incorrect or the write queue is full',
  withTestApp(async ({ call, addUser, store }) => {
    await addUser('anna', 'operator');
    rejectWrites(store);
    const wrong = await call('POST', '/login', { body: { username: 'anna', password: 'not this one' } });
    assert.deepEqual([wrong.status, wrong.cookie], [401, '']);
    rejectWrites(store, 'STORE_BUSY');
    const busy = await call('POST', '/login', { body: { username: 'anna', password: PASSWORD } });
    assert.deepEqual([busy.status, busy.cookie], [500, '']);
  }, options),
);

test(
  'accepts a second-factor code and a recovery code only once when sessions cannot be saved',
  withTestApp(async (testApp) => {
    const { call, addUser, clock } = testApp;
    await addUser('anna', 'operator');
    const cookie = await testApp.login('anna');
    const begun = await call('POST', '/account/totp', { cookie, body: { currentPassword: PASSWORD } });
    const code = () => totpCode(String(begun.json.secret), clock.wallTime());
    const confirmed = await call('POST', '/account/totp/confirm', { cookie, body: { code: code() } });
    const [recovery = ''] = confirmed.json.recoveryCodes as string[];
    clock.advance(STEP_MS);

    for (const typed of [code(), recovery]) {
      const first = await logInUnsaved(testApp, 'anna', typed);
      assert.equal(first.status, 201, first.text);
      assert.equal((await call('POST', '/estop', { cookie: first.cookie, body: {} })).status, 200);
      const again = await logInUnsaved(testApp, 'anna', typed);
      assert.deepEqual([again.status, again.cookie], [401, '']);
    }
  }, options),
);

test(
  'an API key can stop carts even when the time of its last use cannot be saved',
  withTestApp(async ({ call, access, clock, store }) => {
    const { key } = await access.keys.add({ name: 'panel', scopes: ['cart:control'] }, userActor('test'));
    rejectWrites(store);
    clock.advance(HOUR_MS);
    const answer = await call('POST', '/estop', { headers: { 'x-api-key': key }, body: {} });
    assert.equal(answer.status, 200);
  }, options),
);

test("only a user's latest 50 unsaved sessions are kept", () => {
  const accounts = [1, 2].map((id) => ({
    id,
    username: `user ${id}`,
    phc: '',
    role: 'operator',
    disabledAt: null,
  }));
  const reads = { account: (id: number) => accounts[id - 1] } as unknown as AccessReads;
  const sessions = new StopSessions({ reads, clock: new FakeClock() });
  const [anna, ben] = accounts as unknown as [Account, Account];
  const tokens = Array.from({ length: 51 }, newToken);
  const ofBen = newToken();
  sessions.open(ofBen, ben, null);
  for (const token of tokens) sessions.open(token, anna, null);
  assert.deepEqual(
    tokens.map((token) => sessions.find(token) !== undefined),
    [false, ...Array(50).fill(true)],
  );
  assert.ok(sessions.find(ofBen));
});

test.run();
