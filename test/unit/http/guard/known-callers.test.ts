import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { suite } from 'uvu';
import { formatToken, newToken } from '../../../../src/access/secrets.js';
import { APIS } from '../../../../src/app/api/apis.js';
import { KnownCallers } from '../../../../src/http/guard/known-callers.js';
import { policyOf } from '../../../../src/http/guard/policy.js';
import { shortenPreferences } from '../../../../src/http/server/request-head.js';
import { RouteTable } from '../../../../src/http/server/route-table.js';

const test = suite('known callers');

const GOOD = formatToken(newToken());
const FORGED = formatToken(newToken());
const HOLDERS = new Map([['good-stop-token', 'user 7']]);
const routes = new RouteTable(policyOf(APIS));
const lan = (isTrusted: boolean) => ({
  routes,
  access: { isTrusted: () => isTrusted, stopTokens: { holderOf: (text: string) => HOLDERS.get(text) } },
  isLocal: () => isTrusted,
  isProxy: () => false,
});
const NO_LAN = lan(false);

function request(method: string, url: string, cookie?: string): IncomingMessage {
  const headers = cookie === undefined ? {} : { cookie: `sessie_p80=${cookie}` };
  return {
    method,
    url,
    headers,
    socket: { remoteAddress: '10.0.0.7', localPort: 80 },
  } as unknown as IncomingMessage;
}

test('a stop token raises only the rank of stop requests', () => {
  const callers = new KnownCallers(NO_LAN);
  const withToken = (method: string, url: string, token = 'good-stop-token') => {
    const req = request(method, url);
    req.headers['x-stop-token'] = token;
    return callers.callerOf(req);
  };
  assert.deepEqual(withToken('POST', '/estop'), { rank: 'stop', key: 'user 7' });
  assert.equal(withToken('POST', '/estop/reset').rank, 'anonymous');
  assert.equal(withToken('GET', '/carts').rank, 'anonymous');
  assert.equal(withToken('POST', '/estop', 'forged').rank, 'anonymous');
});

const user = { kind: 'user', userId: 5, username: 'anna', role: 'operator', sessionId: 's' } as const;

test('previously accepted credentials give a request the rank "named", or "stop" for a stop request', () => {
  const callers = new KnownCallers(NO_LAN);
  callers.note({ cookies: [GOOD], isLocal: () => false }, user, new Socket());
  assert.deepEqual(callers.callerOf(request('GET', '/', GOOD)), { rank: 'named', key: 'user 5' });
  assert.deepEqual(callers.callerOf(request('POST', '/estop', GOOD)), { rank: 'stop', key: 'user 5' });
  assert.deepEqual(callers.callerOf(request('POST', '/carts/2/stop?x', GOOD)), {
    rank: 'stop',
    key: 'user 5',
  });
  assert.deepEqual(callers.callerOf(request('POST', '/estop/reset', GOOD)), {
    rank: 'named',
    key: 'user 5',
  });
});

test('gives requests to every stop route the rank "stop"', () => {
  const callers = new KnownCallers(NO_LAN);
  callers.note({ cookies: [GOOD], isLocal: () => false }, user, new Socket());
  const stops = policyOf(APIS).filter(
    ({ method, path }) => method === 'POST' && /e?stop(?!.*reset)/.test(path),
  );
  const paths = stops.map(({ path }) => path.replace(':cartID', '2'));
  assert.deepEqual(paths.toSorted(), ['/carts/2/stop', '/estop', '/stop', '/stop/mine']);
  for (const path of paths) assert.equal(callers.callerOf(request('POST', path, GOOD)).rank, 'stop', path);
});

test('ranks requests with unknown credentials as anonymous, and groups them by address', () => {
  const callers = new KnownCallers(NO_LAN);
  for (const cookie of [undefined, FORGED]) {
    assert.deepEqual(callers.callerOf(request('GET', '/', cookie)), { rank: 'anonymous', key: '10.0.0.7' });
  }
});

test('limits the number of stop requests with unknown credentials that receive the rank "stop"', () => {
  const callers = new KnownCallers(NO_LAN);
  const ranks = Array.from(
    { length: 1000 },
    () => callers.callerOf(request('POST', '/estop', formatToken(newToken()))).rank,
  );
  const stops = ranks.filter((rank) => rank === 'stop').length;
  assert.equal(ranks[0], 'stop');
  assert.ok(stops < 500, `${stops} of 1000`);
  assert.equal(callers.callerOf(request('POST', '/estop')).rank, 'anonymous');
});

test('requests from a trusted network have the rank "named", or "stop" for stop requests', () => {
  const callers = new KnownCallers(lan(true));
  assert.equal(callers.callerOf(request('GET', '/')).rank, 'named');
  assert.equal(callers.callerOf(request('POST', '/estop')).rank, 'stop');
});

test('truncates a long Accept-Language header after the last complete item', () => {
  const headers = { 'accept-language': `nl,${'en;q=0.5,'.repeat(1000)}de`, accept: 'text/html' };
  shortenPreferences({ headers } as unknown as IncomingMessage);
  assert.ok(headers['accept-language'].length <= 512);
  assert.match(headers['accept-language'], /^nl,.*en;q=0\.5$/);
  assert.equal(headers.accept, 'text/html');
});

test('remembers the latest 1,000 credentials', () => {
  const callers = new KnownCallers(NO_LAN);
  const cookies = Array.from({ length: 1001 }, () => formatToken(newToken()));
  for (const cookie of cookies) callers.note({ cookies: [cookie], isLocal: () => false }, user, new Socket());
  const ranks = cookies.map((cookie) => callers.callerOf(request('GET', '/', cookie)).rank);
  assert.deepEqual(ranks, ['anonymous', ...Array(1000).fill('named')]);
});

test.run();
