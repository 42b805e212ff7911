import assert from 'node:assert/strict';
import { test } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import { count, PASSWORD, withTestApp } from '../test-app.js';

const HOUR_MS = 3_600_000;

test(
  'a session records its last use at most once a minute',
  withTestApp(async ({ call, addUser, login, store, clock }) => {
    await addUser('anna');
    const cookie = await login('anna');
    const names: string[] = [];
    store.onCommit(({ names: written }) => void names.push(...written));
    // Writes become durable in order, so this write completes after all earlier ones.
    const barrier = (): Promise<unknown> => store.write('access.purgeSessions', { now: 0 });
    for (let n = 0; n < 50; n += 1) assert.equal((await call('GET', '/events', { cookie })).status, 200);
    await barrier();
    assert.deepEqual(names.splice(0), ['access.purgeSessions']);
    clock.advance(61_000);
    await Promise.all(Array.from({ length: 10 }, () => call('GET', '/events', { cookie })));
    await call('GET', '/events', { cookie });
    await barrier();
    assert.deepEqual(names, ['access.touchSession', 'access.purgeSessions']);
  }),
);

test(
  'a session expires after 8 hours of inactivity, and after 7 days even if it is in use',
  withTestApp(async ({ call, addUser, login, clock, store }) => {
    await addUser('anna');
    const idle = await login('anna');
    clock.advance(8 * HOUR_MS);
    assert.equal((await call('GET', '/events', { cookie: idle })).status, 401);
    const busy = await login('anna');
    for (let hour = 0; hour < 7 * 24 - 1; hour += 7) {
      const { status } = await call('GET', '/events', { cookie: busy });
      assert.equal(status, 200, `after ${hour} h`);
      // The session's time of last use must be durable before the next request.
      await store.write('access.purgeSessions', { now: 0 });
      clock.advance(7 * HOUR_MS);
    }
    assert.equal((await call('GET', '/events', { cookie: busy })).status, 401);
    await store.write('access.purgeSessions', { now: clock.wallTime() });
    assert.equal(count(store, 'sessions'), 0);
  }),
);

test(
  "a login starts a new session and ends the session in the request's cookie",
  withTestApp(async ({ call, addUser, login, store }) => {
    await addUser('anna');
    const first = await login('anna');
    const body = { username: 'anna', password: PASSWORD };
    const { cookie: second } = await call('POST', '/login', { body, cookie: first });
    assert.notEqual(second, first);
    assert.equal((await call('GET', '/events', { cookie: first })).status, 401);
    assert.equal((await call('GET', '/events', { cookie: second })).status, 200);
    assert.equal(count(store, 'sessions'), 1);
  }),
);

test(
  'a login never uses the ID from a forged session cookie',
  withTestApp(async ({ call, addUser, port }) => {
    await addUser('anna');
    const made = `00000000-0000-4000-8000-000000000000.${'A'.repeat(43)}`;
    const planted = `sessie_p${port}=${made}`;
    const body = { username: 'anna', password: PASSWORD };
    const { cookie } = await call('POST', '/login', { body, cookie: planted });
    assert.ok(!cookie.includes(made.slice(0, 36)));
    assert.equal((await call('GET', '/events', { cookie: planted })).status, 401);
  }),
);

test(
  'the sessieId alone neither gives access to a session nor ends it',
  withTestApp(async ({ call, addUser, login, port }) => {
    await addUser('anna');
    const cookie = await login('anna');
    const id = cookie.replace(/^[^=]*=/, '').slice(0, 36);
    for (const value of [id, `${id}.`, `${id}.${'A'.repeat(43)}`]) {
      const forged = `sessie_p${port}=${value}`;
      assert.equal((await call('GET', '/events', { cookie: forged })).status, 401);
      await call('POST', '/logout', { cookie: forged });
      await call('POST', '/login', { body: { username: 'anna', password: PASSWORD }, cookie: forged });
    }
    assert.equal((await call('GET', '/events', { headers: { authorization: `Bearer ${id}` } })).status, 401);
    assert.equal((await call('GET', '/events', { cookie })).status, 200);
  }),
);

test('a session that is logged out while one of its requests runs is not renewed by that request', async () => {
  let arrived: () => void = () => undefined;
  const isThere = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const run = withTestApp(
    async ({ call, addUser, login, clock, store }) => {
      await addUser('anna');
      const cookie = await login('anna');
      // After 61 s, the request would record the session's last use, but the logout comes first.
      clock.advance(61_000);
      const slow = call('GET', '/carts', { cookie });
      await isThere;
      assert.equal((await call('POST', '/logout', { cookie })).status, 200);
      release();
      assert.equal((await slow).status, 200);
      await store.write('access.touchSession', {
        mark: { sessionMs: 0, wallMs: 0 },
        id: cookie.replace(/^[^=]*=/, '').slice(0, 36),
        now: clock.wallTime() + 1,
        idleExpiresAt: clock.wallTime() + HOUR_MS,
      });
      assert.equal((await call('GET', '/events', { cookie })).status, 401);
      assert.equal(count(store, 'sessions'), 0);
    },
    {
      routes: (app) => {
        app.get('/carts', async (_req, res) => {
          arrived();
          await gate;
          res.json([]);
        });
      },
    },
  );
  await run();
});

test(
  'logging out everywhere, disabling a user and changing a password or role take effect immediately',
  withTestApp(async ({ call, addUser, login }) => {
    await addUser('root', 'admin');
    const { userId } = await addUser('anna', 'operator');
    const admin = await login('root');
    const both = async () => [await login('anna'), await login('anna')] as const;
    const open = async (cookie: string, path = '/events') => (await call('GET', path, { cookie })).status;
    const patch = (body: object) => call('PATCH', `/users/${userId}`, { body, cookie: admin });

    let [here, there] = await both();
    const everywhere = await call('POST', '/logout/everywhere', { cookie: here });
    assert.deepEqual(everywhere.json, { success: true, ended: 2 });
    assert.deepEqual([await open(here), await open(there)], [401, 401]);

    [here, there] = await both();
    const body = { currentPassword: PASSWORD, newPassword: 'another long secret' };
    assert.equal((await call('POST', '/account/password', { body, cookie: here })).status, 200);
    assert.deepEqual([await open(here), await open(there)], [200, 401]);
    const wrong = await call('POST', '/account/password', { body, cookie: here });
    assert.deepEqual([wrong.status, wrong.json.code], [401, 'INVALID_CREDENTIALS']);

    assert.equal(await open(here, '/variables.json'), 200);
    assert.equal((await patch({ role: 'customer' })).status, 200);
    assert.equal(await open(here, '/variables.json'), 403);
    assert.equal((await patch({ disabled: true })).status, 200);
    assert.equal(await open(here), 401);
  }),
);

test(
  'rejects a login when the user is disabled during the password check',
  withTestApp(async ({ addUser, access }) => {
    const { userId } = await addUser('anna');
    const client = { ip: '127.0.0.1', userAgent: '' };
    const login = access.logins.login({ username: 'anna', password: PASSWORD }, client);
    const change = access.users.change(userId, { disabled: true }, userActor('test'));
    await assert.rejects(login, /username or password is incorrect/);
    await change;
  }),
);

test(
  'a second cookie with the same name does not hide the real session cookie',
  withTestApp(async ({ call, addUser, login, port }) => {
    await addUser('olga', 'operator');
    const real = await login('olga');
    const name = `sessie_p${port}`;
    const junk = [`${name}=x`, `${name}=`, `${name}=${'a'.repeat(80)}`, `${name}="quoted"`];
    for (const planted of [...junk.map((one) => [one]), junk]) {
      for (const cookie of [
        [...planted, real],
        [real, ...planted],
        ['other=1', ...planted, real],
      ]) {
        assert.equal(
          (await call('POST', '/estop', { cookie: cookie.join('; ') })).status,
          200,
          cookie.join(),
        );
      }
    }
    const forged = [...real.slice(0, -1)].join('') + (real.endsWith('A') ? 'B' : 'A');
    const many = Array.from({ length: 500 }, (_, n) => `${name}=${n}`);
    assert.equal((await call('POST', '/estop', { cookie: [...many, forged, real].join('; ') })).status, 200);
    const tooMany = Array.from({ length: 16 }, () => forged);
    assert.equal((await call('POST', '/estop', { cookie: [...tooMany, real].join('; ') })).status, 401);
    await call('POST', '/logout', { cookie: [...junk, real].join('; ') });
    assert.equal(
      (await call('POST', '/estop', { cookie: real })).status,
      401,
      'logging out ends the real session',
    );
  }),
);

test(
  "a user's 51st session ends that user's least recently used session",
  withTestApp(async ({ call, addUser, login, clock, store }) => {
    await addUser('anna');
    await addUser('ben');
    const ofBen = await login('ben');
    const cookies: string[] = [];
    for (let n = 0; n < 50; n += 1) {
      cookies.push(await login('anna'));
      clock.advance(1000);
    }
    const statusOf = async (cookie = '') => (await call('GET', '/events', { cookie })).status;
    const [first, second, third] = cookies;
    // Sessions record their last use at most once a minute.
    clock.advance(60_000);
    assert.equal(await statusOf(first), 200);
    // Writes become durable in order, so the last use is saved before this write.
    await store.write('access.purgeSessions', { now: 0 });
    const latest = await login('anna');
    assert.equal(await statusOf(second), 401);
    for (const cookie of [first, third, latest, ofBen]) assert.equal(await statusOf(cookie), 200);
  }),
);

test.run();
