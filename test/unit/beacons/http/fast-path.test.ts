import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'uvu';
import { beaconFastPath } from '../../../../src/beacons/http/answers.js';
import { beaconApi } from '../../../../src/beacons/http/openapi.js';
import { Beacons } from '../../../../src/beacons/registry/beacons.js';
import { type PolicyEntry, policyOf } from '../../../../src/http/guard/policy.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import { RouteTable } from '../../../../src/http/server/route-table.js';
import type { Commit, Store } from '../../../../src/shared/ports/store.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { assertError, withTestApp } from '../test-app.js';

const DOOR = { id: 'beacon-door', description: 'Door', longDescription: '' };
const GATE = { ...DOOR, description: 'Gate' };

/** Returns a registry with a fake store that counts reads of single rows and reports commits. */
function countingRegistry() {
  const rows = new Map<string, string>();
  const counts = { reads: 0 };
  let notify: (commit: Commit) => void = () => undefined;
  const get = ({ id }: { id: string }) => {
    counts.reads += 1;
    const json = rows.get(id);
    return json === undefined ? undefined : { json };
  };
  const store = {
    read: { prepare: () => ({ get, all: () => [] }) },
    onCommit: (listener: typeof notify) => {
      notify = listener;
      return () => undefined;
    },
  } as unknown as Store;
  const beacons = new Beacons({
    store,
    log: new RecordingLog(),
    pathLoss: () => ({ exponent: 2, maxRangeM: 100 }),
  });
  const commit = (name: string, args: object, result: unknown, outcome: Commit['outcome'] = 'saved') =>
    notify({ outcome, names: [name], writes: [{ name, args, result }] });
  return { beacons, rows, counts, commit };
}

test('reads a beacon from the database only once until a commit changes it', () => {
  const { beacons, rows, counts, commit } = countingRegistry();
  rows.set(DOOR.id, JSON.stringify(DOOR));
  assert.equal(beacons.cached(DOOR.id), undefined);
  for (let i = 0; i < 3; i += 1) assert.equal(beacons.json(DOOR.id), JSON.stringify(DOOR));
  assert.deepEqual(beacons.find(DOOR.id), DOOR);
  assert.equal(beacons.cached(DOOR.id), JSON.stringify(DOOR));
  assert.equal(counts.reads, 1);
  rows.set(DOOR.id, JSON.stringify(GATE));
  commit('beacons.create', { id: DOOR.id }, 'replaced');
  assert.equal(beacons.cached(DOOR.id), undefined);
  assert.equal(beacons.json(DOOR.id), JSON.stringify(GATE));
  assert.equal(counts.reads, 2);
});

test('keeps a cached beacon when a commit affects a different beacon or changes nothing', () => {
  const { beacons, rows, counts, commit } = countingRegistry();
  rows.set(DOOR.id, JSON.stringify(DOOR));
  beacons.json(DOOR.id);
  commit('beacons.create', { id: 'beacon-other' }, 'created');
  commit('beacons.create', { id: DOOR.id }, 'unchanged');
  commit('beacons.create', { id: DOOR.id }, 'conflict');
  commit('beacons.remove', { id: DOOR.id }, null);
  commit('access.touch', { id: DOOR.id }, 1);
  beacons.json(DOOR.id);
  assert.equal(counts.reads, 1);
});

test('a deletion, an import and a write with an unknown outcome discard the cached beacon', () => {
  const { beacons, rows, commit } = countingRegistry();
  const changes: [string, object, unknown, Commit['outcome']][] = [
    ['beacons.remove', { id: DOOR.id }, JSON.stringify(DOOR), 'saved'],
    ['beacons.import', { beacons: [] }, { created: 1, replaced: 0, unchanged: 0 }, 'saved'],
    ['beacons.create', { id: DOOR.id }, undefined, 'unknown'],
    ['beacons.import', { beacons: [] }, undefined, 'unknown'],
  ];
  for (const change of changes) {
    rows.set(DOOR.id, JSON.stringify(DOOR));
    beacons.json(DOOR.id);
    commit(...change);
    assert.equal(beacons.cached(DOOR.id), undefined, change[0]);
  }
});

test('does not cache NOT_FOUND for a missing beacon', () => {
  const { beacons, rows, counts } = countingRegistry();
  for (let i = 0; i < 2; i += 1) assert.throws(() => beacons.json(DOOR.id), { code: 'NOT_FOUND' });
  assert.equal(counts.reads, 2);
  rows.set(DOOR.id, JSON.stringify(DOOR));
  assert.equal(beacons.json(DOOR.id), JSON.stringify(DOOR));
});

test(
  'a read after an acknowledged change returns the new value, whether or not it is cached',
  withTestApp(async ({ beacons }) => {
    for (let n = 0; n < 200; n += 1) {
      const put = beacons.put(DOOR.id, { description: `Door ${n}` });
      // These reads run while the writer commits.
      const reader = setInterval(() => beacons.find(DOOR.id));
      const json = await put;
      assert.equal(beacons.json(DOOR.id), json);
      clearInterval(reader);
    }
    await beacons.remove(DOOR.id);
    assert.throws(() => beacons.json(DOOR.id), { code: 'NOT_FOUND' });
  }),
);

/** Sends these requests over one connection and returns the responses. The last request closes the connection. */
async function exchange(port: number, ...requests: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const last = requests.length - 1;
  for (const [nth, request] of requests.entries()) {
    socket.write(`${request}\r\n${nth === last ? 'Connection: close\r\n' : ''}\r\n`);
  }
  return (await text(socket)).replaceAll(/^Date: .*\r\n/gm, '');
}

test(
  'a cached beacon produces the same response as one read from the database',
  withTestApp(async ({ port, add, call }) => {
    await add(DOOR);
    const request = `GET /beacon?id=${DOOR.id} HTTP/1.1\r\nHost: localhost`;
    const first = await exchange(port, request);
    assert.ok(first.endsWith(JSON.stringify(DOOR)), first);
    assert.equal(await exchange(port, request), first);
    assert.equal(await exchange(port, `${request}\r\nCookie: a=b`), first);
    const head = await exchange(port, request.replace('GET', 'HEAD'));
    assert.equal(head, first.replace(JSON.stringify(DOOR), ''));
    const mixed = await exchange(port, request, `GET /beacon?id=unknown-id HTTP/1.1\r\nHost: a`, request);
    assert.deepEqual(mixed.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    await add({ ...DOOR, id: 'a%20bcdef' }, { ...DOOR, id: 'a+bcdef' });
    for (const id of ['a%20bcdef', 'a+bcdef', 'a+bcdef', 'a%20bcdef']) {
      const { json } = await call('GET', `/beacon?id=${encodeURIComponent(id)}`);
      assert.equal((json as { id: string }).id, id);
    }
    assertError(await call('GET', `/beacon?id=${DOOR.id}&id=${DOOR.id}`), 400, 'INVALID_INPUT');
  }),
);

test('the fast path passes requests with credentials or a different host to the regular routes', async () => {
  const { beacons, rows } = countingRegistry();
  rows.set(DOOR.id, JSON.stringify(DOOR));
  beacons.json(DOOR.id);
  const { app, server } = fastExpress({
    routes: new RouteTable(policyOf([beaconApi])),
    fastPath: beaconFastPath(beacons, (host) => host === 'cart.example'),
  });
  app.use((_req, res) => void res.status(204).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = `GET /beacon?id=${DOOR.id} HTTP/1.1\r\nHost: cart.example`;
  const fast = [get, `${get}\r\nAccept: */*`, `${get}\r\nIf-None-Match: *`];
  const routed = [
    get.replace('cart', 'evil'),
    get.replace('Host: cart.example', 'Host:'),
    `${get}\r\nHost: cart.example`,
    `${get}\r\nCookie: a=b`,
    `${get}\r\nX-API-Key: a`,
    `${get}\r\nAuthorization: Bearer a`,
    `${get}\r\nUpgrade: websocket`,
    get.replace('GET', 'HEAD'),
    get.replace('GET', 'DELETE'),
    get.replace('/beacon?', '/beacon/?'),
    get.replace('/beacon?', 'http://cart.example/beacon?'),
    get.replace('beacon-door', 'beacon%2Ddoor'),
    get.replace('beacon-door', 'beacon-door&near=1'),
  ];
  try {
    for (const request of fast) assert.match(await exchange(port, request), /^HTTP\/1.1 200/, request);
    for (const request of routed) assert.match(await exchange(port, request), /^HTTP\/1.1 204/, request);
  } finally {
    server.close();
  }
});

test('a fast path requires a public route that is declared with cached responses', () => {
  const fastPath = beaconFastPath(countingRegistry().beacons, () => true);
  const declared = policyOf([beaconApi]);
  const changed = (change: Partial<PolicyEntry>): RouteTable =>
    new RouteTable(
      declared.map((route) =>
        route.method === 'GET' && route.path === '/beacon' ? { ...route, ...change } : route,
      ),
    );
  fastExpress({ routes: new RouteTable(declared), fastPath });
  const refused = /GET \/beacon is not a public route with cached responses/;
  for (const routes of [changed({ need: 'session' }), changed({ cached: false }), new RouteTable([])])
    assert.throws(() => fastExpress({ routes, fastPath }), refused);
});

test.run();
