import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Express, Request } from 'express';
import { test } from 'uvu';
import type { AccessReads } from '../../../src/access/reads.js';
import { STOP_GRACE_MS, StopTokens } from '../../../src/access/sessions/stop-tokens.js';
import { type EventDeps, EventFeed } from '../../../src/carts/http/events.js';
import type { Principal } from '../../../src/http/guard/authenticator.js';
import { principalOf } from '../../../src/http/guard/principal.js';
import { userActor } from '../../../src/shared/actor.js';
import { quietLog, settle } from '../../helpers/cart-harness.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { handlersOf } from '../../helpers/handlers-of.js';
import { PASSWORD, type TestApp, withTestApp } from './test-app.js';

const IDLE_MS = 8 * 3_600_000;
const STOPS = ['/estop', '/stop', '/stop/mine', '/carts/1/stop'];

/** Adds the event stream and the stop routes, which the test app does not include. */
function routes(app: Express, testApp: TestApp): void {
  const { access, clock } = testApp;
  const never = () => () => undefined;
  const feed = new EventFeed({
    dispatcher: { onCartChange: never, onCommand: never, near: () => [], newest: () => [] },
    layout: () => ({ gateway: {}, links: {}, carts: [] }),
    drivers: { list: () => [] },
    beaconReports: { positions: () => [], onPosition: never },
    onLinks: never,
    onTrial: never,
    onSettings: never,
    meaning: () => 'as now',
    clock,
    firmware: { onChange: never, progress: () => null },
    zoneGate: { onOverride: never },
    sitePlan: { onChange: never },
    mayStay: (req: Request) => access.keepAlive(principalOf(req)),
    mayReadSettings: () => true,
    stopToken: (req: Request) => access.stopTokens.issue(principalOf(req)),
  } as unknown as EventDeps);
  app.use(handlersOf(feed.router()));
  for (const path of ['/stop', '/stop/mine']) {
    app.post(path, (req, res) => void res.json(principalOf(req)));
  }
}

async function openStream({ port }: TestApp, headers: Record<string, string>) {
  const req = request({ port, host: '127.0.0.1', path: '/events', headers, agent: false });
  req.end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  assert.equal(res.statusCode, 200);
  let text = '';
  const ended = new Promise<void>((resolve) => void res.on('close', resolve));
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
    async close() {
      req.destroy();
      await ended;
    },
  };
}

const stop = (testApp: TestApp, token: string, path = '/estop', more: Record<string, string> = {}) =>
  testApp.call('POST', path, { body: {}, headers: { 'x-stop-token': token, ...more } });

/** Returns a user whose session expired while a page was open, and whose event stream the gateway has closed. */
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
  'a stop token of an expired session permits only stops, and records them under the same user',
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
  'a stop token expires ten minutes after its event stream closes',
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
  'a stop token stays valid when its session reaches the absolute limit while in use',
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
  'logging out invalidates the stop token immediately, even if the session has expired',
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
  'a new login in the same browser invalidates the stop tokens of the expired session',
  withRoutes(async (testApp) => {
    const { cookie, token } = await expired(testApp);
    const body = { username: 'anna', password: PASSWORD };
    assert.equal((await testApp.call('POST', '/login', { body, cookie })).status, 201);
    assert.equal((await stop(testApp, token)).status, 401);
  }),
);

test(
  "logging out everywhere invalidates the stop tokens of all that user's sessions",
  withRoutes(async (testApp) => {
    const { token } = await expired(testApp);
    const cookie = await testApp.login('anna');
    const open = await openStream(testApp, { cookie });
    await testApp.call('POST', '/logout/everywhere', { cookie, body: {} });
    for (const each of [token, open.token]) assert.equal((await stop(testApp, each)).status, 401);
  }),
);

test(
  'disabling a user or setting a password also invalidates stop tokens of expired sessions',
  withRoutes(async (testApp) => {
    const anna = await expired(testApp, 'anna');
    await testApp.access.users.change(anna.user.userId, { disabled: true }, userActor('root'));
    assert.equal((await stop(testApp, anna.token)).status, 401);
    await testApp.access.users.change(anna.user.userId, { disabled: false }, userActor('root'));
    assert.equal((await stop(testApp, anna.token)).status, 401, 'permanently');
    const bob = await expired(testApp, 'bob');
    await testApp.access.users.change(
      bob.user.userId,
      { password: 'another horse battery' },
      userActor('root'),
    );
    assert.equal((await stop(testApp, bob.token)).status, 401);
  }),
);

test(
  "changing one's own password invalidates the current session's stop token",
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
  "revoking an API key invalidates its stop tokens, but a key's expiry does not",
  withRoutes(async (testApp) => {
    const add = (name: string) =>
      testApp.access.keys.add({ name, scopes: ['cart:control'], expiresInDays: 1 }, userActor('root'));
    const [old, revoked] = [await add('old'), await add('revoked')];
    const streams = [];
    for (const { key } of [old, revoked]) streams.push(await openStream(testApp, { 'x-api-key': key }));
    await testApp.access.keys.revoke(revoked.keyId, userActor('root'));
    testApp.clock.stall(86_400_000);
    const [valid = '', invalid = ''] = streams.map(({ token }) => token);
    assert.deepEqual(
      [(await stop(testApp, valid)).status, (await stop(testApp, valid)).json.name],
      [200, 'old'],
    );
    assert.equal((await stop(testApp, invalid)).status, 401);
  }),
);

test(
  'only API keys that can stop carts receive a stop token',
  withRoutes(async ({ access }) => {
    const issued = (scopes: string[]) =>
      access.stopTokens.issue({ kind: 'key', keyId: 1, name: 'reader', scopes }) !== undefined;
    assert.deepEqual([issued(['cart:read']), issued(['cart:control'])], [false, true]);
  }),
);

test(
  'a stop token does not give access to pages and is rejected in requests from other origins',
  withRoutes(async (testApp) => {
    const { token } = await expired(testApp);
    const page = await stop(testApp, token, '/estop', { accept: 'text/html' });
    assert.equal(page.status, 401);
    assert.equal((await stop(testApp, token, '/estop', { origin: 'http://evil.example' })).status, 403);
    for (const forged of ['', 'x', `${token.slice(0, 42)}!`, 'A'.repeat(43), 'A'.repeat(5000)])
      assert.equal((await stop(testApp, forged)).status, 401);
  }),
);

test('evicts stop tokens of closed streams first, then the oldest, when a limit is exceeded', () => {
  const reads = { account: () => ({ phc: 'x' }), session: () => ({}) } as unknown as AccessReads;
  const tokens = new StopTokens({ reads, clock: new FakeClock(), log: quietLog });
  const issue = (userId: number) => {
    const principal: Principal = {
      kind: 'user',
      userId,
      username: `u${userId}`,
      role: 'customer',
      sessionId: 's',
    };
    const token = tokens.issue(principal);
    assert.ok(token);
    return token;
  };
  const isValid = ({ text }: { text: string }): boolean => tokens.find(text) !== undefined;
  const [first, second, third] = [issue(1), issue(1), issue(1)];
  second.close();
  for (let at = 3; at <= 50; at += 1) issue(1);
  assert.deepEqual([first, second, third].map(isValid), [true, false, true]);
  issue(1);
  assert.deepEqual([first, third].map(isValid), [false, true]);
  for (let user = 2; user <= 21; user += 1) for (let at = 0; at < 50; at += 1) issue(user);
  assert.equal(isValid(third), false);
});

test('anonymous callers do not receive a stop token', () => {
  const tokens = new StopTokens({ reads: {} as AccessReads, clock: new FakeClock(), log: quietLog });
  assert.equal(tokens.issue({ kind: 'lan' }), undefined);
  assert.equal(tokens.issue({ kind: 'anonymous' }), undefined);
});

test.run();
