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
import { atSite, PASSWORD, type Site } from './site.js';

const IDLE_MS = 8 * 3_600_000;
const STOPS = ['/estop', '/stop', '/stop/mine', '/carts/1/stop'];

/** Adds the event stream and the stops that the site has not. */
function routes(app: Express, site: Site): void {
  const { access, clock } = site;
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
async function openStream({ port }: Site, headers: Record<string, string>) {
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

const stop = (site: Site, token: string, path = '/estop', more: Record<string, string> = {}) =>
  site.call('POST', path, { body: {}, headers: { 'x-stop-token': token, ...more } });

/** A user with an open page whose session has expired: the gateway has ended its stream. */
async function expired(site: Site, name = 'anna') {
  const user = await site.addUser(name, 'operator');
  const cookie = await site.login(name);
  const stream = await openStream(site, { cookie });
  site.clock.stall(IDLE_MS);
  site.clock.advance(2000);
  await stream.ended;
  assert.equal((await site.call('GET', '/events', { cookie })).status, 401);
  return { user, cookie, token: stream.token };
}

const withRoutes = (run: (site: Site) => Promise<void>) => atSite(run, { routes });

test(
  'a page whose session has expired stops carts, as the same person, and does nothing else',
  withRoutes(async (site) => {
    const { cookie, token } = await expired(site);
    for (const path of STOPS) {
      const answer = await stop(site, token, path, { cookie });
      assert.deepEqual([path, answer.status, answer.json.username], [path, 200, 'anna']);
      assert.equal((await stop(site, token, path)).status, 200, 'without the cookie as well');
      assert.equal((await site.call('POST', path, { body: {}, cookie })).status, 401);
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
      const answer = await site.call(method, path, { ...(method === 'POST' ? { body: {} } : {}), headers });
      assert.equal(answer.status, 401, route);
      assert.equal(answer.headers['x-stop-token-expires-in'], '600', route);
    }
    assert.ok(site.log.lines.some((line) => JSON.stringify(line).includes('access.stop_token_used')));
    assert.ok(!JSON.stringify(site.log.lines).includes(token));
  }),
);

test(
  'a stop token is good for ten minutes after its stream has ended',
  withRoutes(async (site) => {
    const { token } = await expired(site);
    site.clock.advance(STOP_GRACE_MS - 1000);
    assert.equal((await stop(site, token)).status, 200);
    site.clock.advance(1000);
    const answer = await stop(site, token);
    assert.deepEqual([answer.status, answer.headers['x-stop-token-expires-in']], [401, undefined]);
  }),
);

test(
  'a session that was in use until its last day leaves its page the stop as well',
  withRoutes(async (site) => {
    await site.addUser('anna', 'operator');
    const cookie = await site.login('anna');
    const stream = await openStream(site, { cookie });
    for (let day = 0; day < 28; day += 1) {
      site.clock.stall(IDLE_MS * 0.75);
      site.clock.advance(2000);
      await site.store.write('access.purgeSessions', { now: 0 });
      await settle();
    }
    await stream.ended;
    assert.equal((await stop(site, stream.token)).status, 200);
  }),
);

test(
  'a logout ends the stop token at once, also when the session had expired before',
  withRoutes(async (site) => {
    const late = await expired(site);
    await site.call('POST', '/logout', { cookie: late.cookie, body: {} });
    assert.equal((await stop(site, late.token)).status, 401);
    const cookie = await site.login('anna');
    const { token } = await openStream(site, { cookie });
    assert.equal((await stop(site, token)).status, 200);
    await site.call('POST', '/logout', { cookie, body: {} });
    assert.equal((await stop(site, token)).status, 401);
  }),
);

test(
  'a new login in the same browser ends the stop tokens of the session that had expired',
  withRoutes(async (site) => {
    const { cookie, token } = await expired(site);
    const body = { username: 'anna', password: PASSWORD };
    assert.equal((await site.call('POST', '/login', { body, cookie })).status, 201);
    assert.equal((await stop(site, token)).status, 401);
  }),
);

test(
  'logging out everywhere ends the stop tokens of every session',
  withRoutes(async (site) => {
    const { token } = await expired(site);
    const cookie = await site.login('anna');
    const open = await openStream(site, { cookie });
    await site.call('POST', '/logout/everywhere', { cookie, body: {} });
    for (const each of [token, open.token]) assert.equal((await stop(site, each)).status, 401);
  }),
);

test(
  'a disabled user and a new password end stop tokens at once, also of expired sessions',
  withRoutes(async (site) => {
    const anna = await expired(site, 'anna');
    await site.access.users.change(anna.user.userId, { disabled: true }, 'root');
    assert.equal((await stop(site, anna.token)).status, 401);
    await site.access.users.change(anna.user.userId, { disabled: false }, 'root');
    assert.equal((await stop(site, anna.token)).status, 401, 'for good');
    const bob = await expired(site, 'bob');
    await site.access.users.change(bob.user.userId, { password: 'another horse battery' }, 'root');
    assert.equal((await stop(site, bob.token)).status, 401);
  }),
);

test(
  'an own new password ends the stop token of the session that stays',
  withRoutes(async (site) => {
    await site.addUser('anna', 'operator');
    const cookie = await site.login('anna');
    const { token } = await openStream(site, { cookie });
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    assert.equal((await site.call('POST', '/account/password', { cookie, body })).status, 200);
    assert.equal((await stop(site, token)).status, 401);
    assert.equal((await site.call('POST', '/estop', { cookie, body: {} })).status, 200);
  }),
);

test(
  'a revoked key ends its stop tokens, one that has expired does not',
  withRoutes(async (site) => {
    const add = (name: string) =>
      site.access.keys.add({ name, scopes: ['cart:control'], expiresInDays: 1 }, 'root');
    const [old, revoked] = [await add('old'), await add('revoked')];
    const streams = [];
    for (const { key } of [old, revoked]) streams.push(await openStream(site, { 'x-api-key': key }));
    await site.access.keys.revoke(revoked.keyId, 'root');
    site.clock.stall(86_400_000);
    const [kept = '', dead = ''] = streams.map(({ token }) => token);
    assert.deepEqual([(await stop(site, kept)).status, (await stop(site, kept)).json.name], [200, 'old']);
    assert.equal((await stop(site, dead)).status, 401);
  }),
);

test(
  'a stop token opens no page, and no site but the own one may use it',
  withRoutes(async (site) => {
    const { token } = await expired(site);
    const page = await stop(site, token, '/estop', { accept: 'text/html' });
    assert.deepEqual([page.status, page.headers.location], [303, '/login?next=%2F']);
    assert.equal((await stop(site, token, '/estop', { origin: 'http://evil.example' })).status, 403);
    for (const forged of ['', 'x', `${token.slice(0, 42)}!`, 'A'.repeat(43), 'A'.repeat(5000)])
      assert.equal((await stop(site, forged)).status, 401);
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
