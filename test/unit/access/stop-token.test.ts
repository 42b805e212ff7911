import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Express, Request } from 'express';
import { test } from 'uvu';
import type { AccessReads } from '../../../src/access/reads.js';
import type { Principal } from '../../../src/access/schema.js';
import { STOP_GRACE_MS, StopTokens } from '../../../src/access/sessions/stop-tokens.js';
import { type EventDeps, EventFeed } from '../../../src/carts/http/events.js';
import { principalOf } from '../../../src/web/guard/principal.js';
import { quietLog, settle } from '../../helpers/cart-harness.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { PASSWORD, type TestApp, withTestApp } from './test-app.js';

const IDLE_MS = 8 * 3_600_000;
const STOPS = ['/estop', '/stop', '/stop/mine', '/carts/1/stop'];

/** Adds the event stream and the stops that the site has not. */
function routes(app: Express, testApp: TestApp): void {
  const { access, clock } = testApp;
  const never = () => () => undefined;
  const feed = new EventFeed({
    dispatcher: { onCartChange: never, onCommand: never, near: () => [], newest: () => [] },
    frame: () => ({ gateway: {}, links: {}, carts: [] }),
    moves: { list: () => [] },
    sightings: { positions: () => [], onPosition: never },
    ...{ onLinks: never, onTrial: never, onSettings: never, meaning: () => 'as now', clock },
    mayStay: (req: Request) => access.watches(principalOf(req)),
    stopToken: (req: Request) => access.stopTokens.issue(principalOf(req)),
  } as unknown as EventDeps);
  app.use(feed.router());
  for (const path of ['/stop', '/stop/mine']) {
    app.post(path, (req, res) => void res.json(principalOf(req)));
  }
}

/** An open event stream, and the stop token of its first snapshot. */
async function openStream({ port }: TestApp, headers: Record<string, string>) {
  const req = request({ port, host: '127.0.0.1', path: '/events', headers, agent: false });
  req.end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  assert.equal(res.statusCode, 200);
  let text = '';
  const ended = new Promise<void>((resolve) => void res.on('close', resolve));
  // The gateway ends it, or this side does.
  res.on('error', () => undefined);
  const token = await new Promise<string>((resolve) => {
    res.on('data', (chunk: Buffer) => {
      text += String(chunk);
      const [, stopToken] = /"stopToken":"([^"]+)"/.exec(text) ?? [];
      if (stopToken) resolve(stopToken);
    });
  });
  return {
    token,
    ended,
    async leave() {
      req.destroy();
      await ended;
    },
  };
}

const stop = (testApp: TestApp, token: string, path = '/estop', more: Record<string, string> = {}) =>
  testApp.call('POST', path, { body: {}, headers: { 'x-stop-token': token, ...more } });

/** A user with an open page whose session has expired: the gateway has ended its stream. */
async function expired(testApp: TestApp, name = 'anna') {
  const user = await testApp.addUser(name, 'operator');
  const cookie = await testApp.login(name);
  const stream = await openStream(testApp, { cookie });
  testApp.clock.stall(IDLE_MS);
  testApp.clock.advance(2000);
  await stream.ended;
  assert.equal((await testApp.call('GET', '/events', { cookie })).status, 401);
  return { user, cookie, token: stream.token };
}

const withRoutes = (run: (testApp: TestApp) => Promise<void>) => withTestApp(run, { routes });

test(
  'a page whose session has expired stops carts, as the same person, and does nothing else',
  withRoutes(async (testApp) => {
    const { cookie, token } = await expired(testApp);
    for (const path of STOPS) {
      const answer = await stop(testApp, token, path, { cookie });
      assert.deepEqual([path, answer.status, answer.json.username], [path, 200, 'anna']);
      assert.equal((await stop(testApp, token, path)).status, 200, 'without the cookie as well');
      assert.equal((await testApp.call('POST', path, { body: {}, cookie })).status, 401);
    }
    const others = [
      'POST /estop/reset',
      'POST /',
      'POST /updateJson',
      'GET /carts',
      'GET /events',
      'GET /drive',
    ];
    for (const route of others) {
      const [method = '', path = ''] = route.split(' ');
      const headers = { 'x-stop-token': token, accept: 'application/json' };
      const answer = await testApp.call(method, path, {
        ...(method === 'POST' ? { body: {} } : {}),
        headers,
      });
      assert.equal(answer.status, 401, route);
      assert.equal(answer.headers['x-stop-token-expires-in'], '600', route);
    }
    assert.ok(testApp.log.lines.some((line) => JSON.stringify(line).includes('access.stop_token_used')));
    assert.ok(!JSON.stringify(testApp.log.lines).includes(token));
  }),
);

test(
  'a stop token is good for ten minutes after its stream has ended',
  withRoutes(async (testApp) => {
    const { token } = await expired(testApp);
    testApp.clock.advance(STOP_GRACE_MS - 1000);
    assert.equal((await stop(testApp, token)).status, 200);
    testApp.clock.advance(1000);
    const answer = await stop(testApp, token);
    assert.deepEqual([answer.status, answer.headers['x-stop-token-expires-in']], [401, undefined]);
  }),
);

test(
  'a session that was in use until its last day leaves its page the stop as well',
  withRoutes(async (testApp) => {
    await testApp.addUser('anna', 'operator');
    const cookie = await testApp.login('anna');
    const stream = await openStream(testApp, { cookie });
    for (let day = 0; day < 28; day += 1) {
      testApp.clock.stall(IDLE_MS * 0.75);
      testApp.clock.advance(2000);
      await testApp.store.write('access.purgeSessions', { now: 0 });
      await settle();
    }
    await stream.ended;
    assert.equal((await stop(testApp, stream.token)).status, 200);
  }),
);

test(
  'a logout ends the stop token at once, also when the session had expired before',
  withRoutes(async (testApp) => {
    const late = await expired(testApp);
    await testApp.call('POST', '/logout', { cookie: late.cookie, body: {} });
    assert.equal((await stop(testApp, late.token)).status, 401);
    const cookie = await testApp.login('anna');
    const { token } = await openStream(testApp, { cookie });
    assert.equal((await stop(testApp, token)).status, 200);
    await testApp.call('POST', '/logout', { cookie, body: {} });
    assert.equal((await stop(testApp, token)).status, 401);
  }),
);

test(
  'a new login in the same browser ends the stop tokens of the session that had expired',
  withRoutes(async (testApp) => {
    const { cookie, token } = await expired(testApp);
    const body = { username: 'anna', password: PASSWORD };
    assert.equal((await testApp.call('POST', '/login', { body, cookie })).status, 201);
    assert.equal((await stop(testApp, token)).status, 401);
  }),
);

test(
  'logging out everywhere ends the stop tokens of every session',
  withRoutes(async (testApp) => {
    const { token } = await expired(testApp);
    const cookie = await testApp.login('anna');
    const open = await openStream(testApp, { cookie });
    await testApp.call('POST', '/logout/everywhere', { cookie, body: {} });
    for (const each of [token, open.token]) assert.equal((await stop(testApp, each)).status, 401);
  }),
);

test(
  'a disabled user and a new password end stop tokens at once, also of expired sessions',
  withRoutes(async (testApp) => {
    const anna = await expired(testApp, 'anna');
    await testApp.access.users.change(anna.user.userId, { disabled: true }, 'root');
    assert.equal((await stop(testApp, anna.token)).status, 401);
    await testApp.access.users.change(anna.user.userId, { disabled: false }, 'root');
    assert.equal((await stop(testApp, anna.token)).status, 401, 'for good');
    const bob = await expired(testApp, 'bob');
    await testApp.access.users.change(bob.user.userId, { password: 'another horse battery' }, 'root');
    assert.equal((await stop(testApp, bob.token)).status, 401);
  }),
);

test(
  'an own new password ends the stop token of the session that stays',
  withRoutes(async (testApp) => {
    await testApp.addUser('anna', 'operator');
    const cookie = await testApp.login('anna');
    const { token } = await openStream(testApp, { cookie });
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    assert.equal((await testApp.call('POST', '/account/password', { cookie, body })).status, 200);
    assert.equal((await stop(testApp, token)).status, 401);
    assert.equal((await testApp.call('POST', '/estop', { cookie, body: {} })).status, 200);
  }),
);

test(
  'a revoked key ends its stop tokens, one that has expired does not',
  withRoutes(async (testApp) => {
    const add = (name: string) =>
      testApp.access.keys.add({ name, scopes: ['cart:control'], expiresInDays: 1 }, 'root');
    const [old, revoked] = [await add('old'), await add('revoked')];
    const streams = [];
    for (const { key } of [old, revoked]) streams.push(await openStream(testApp, { 'x-api-key': key }));
    await testApp.access.keys.revoke(revoked.keyId, 'root');
    testApp.clock.stall(86_400_000);
    const [kept = '', dead = ''] = streams.map(({ token }) => token);
    assert.deepEqual(
      [(await stop(testApp, kept)).status, (await stop(testApp, kept)).json.name],
      [200, 'old'],
    );
    assert.equal((await stop(testApp, dead)).status, 401);
  }),
);

test(
  'a stop token opens no page, and no site but the own one may use it',
  withRoutes(async (testApp) => {
    const { token } = await expired(testApp);
    const page = await stop(testApp, token, '/estop', { accept: 'text/html' });
    assert.deepEqual([page.status, page.headers.location], [303, '/login?next=%2F']);
    assert.equal((await stop(testApp, token, '/estop', { origin: 'http://evil.example' })).status, 403);
    for (const forged of ['', 'x', `${token.slice(0, 42)}!`, 'A'.repeat(43), 'A'.repeat(5000)])
      assert.equal((await stop(testApp, forged)).status, 401);
  }),
);

test('stop tokens are limited: those whose page is gone give way first, then the oldest', () => {
  const reads = { account: () => ({ phc: 'x' }), session: () => ({}) } as unknown as AccessReads;
  const tokens = new StopTokens({ reads, clock: new FakeClock(), log: quietLog });
  const issue = (userId: number) => {
    const who: Principal = { kind: 'user', userId, username: `u${userId}`, role: 'customer', sessionId: 's' };
    const token = tokens.issue(who);
    assert.ok(token);
    return token;
  };
  const isGood = ({ text }: { text: string }): boolean => tokens.find(text) !== undefined;
  const [first, second, third] = [issue(1), issue(1), issue(1)];
  second.close();
  for (let at = 3; at <= 50; at += 1) issue(1);
  assert.deepEqual([first, second, third].map(isGood), [true, false, true]);
  issue(1);
  assert.deepEqual([first, third].map(isGood), [false, true]);
  for (let user = 2; user <= 21; user += 1) for (let at = 0; at < 50; at += 1) issue(user);
  assert.equal(isGood(third), false);
});

test('nobody in particular is given no stop token', () => {
  const tokens = new StopTokens({ reads: {} as AccessReads, clock: new FakeClock(), log: quietLog });
  assert.equal(tokens.issue({ kind: 'lan' }), undefined);
  assert.equal(tokens.issue({ kind: 'nobody' }), undefined);
});

test.run();
