import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'uvu';
import { beaconAhead } from '../../../../src/beacons/http/answers.js';
import { Beacons } from '../../../../src/beacons/registry/registry.js';
import { APIS } from '../../../../src/gateway/api/apis.js';
import type { Commit, Store } from '../../../../src/shared/ports/ports.js';
import { PolicyTable, policyOf } from '../../../../src/web/guard/policy.js';
import { fastExpress } from '../../../../src/web/server/fast-express.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { assertError, withTestApp } from '../test-app.js';

const DOOR = { id: 'beacon-door', description: 'Door', longDescription: '' };
const GATE = { ...DOOR, description: 'Gate' };

/** A registry on a store that counts its reads of one row and commits what it is told. */
function counted() {
  const rows = new Map<string, string>();
  const seen = { reads: 0 };
  let notify: (commit: Commit) => void = () => undefined;
  const get = ({ id }: { id: string }) => {
    seen.reads += 1;
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
  return { beacons, rows, seen, commit };
}

test('a beacon is read from the database once, until a commit changes it', () => {
  const { beacons, rows, seen, commit } = counted();
  rows.set(DOOR.id, JSON.stringify(DOOR));
  assert.equal(beacons.ready(DOOR.id), undefined);
  for (let i = 0; i < 3; i += 1) assert.equal(beacons.json(DOOR.id), JSON.stringify(DOOR));
  assert.deepEqual(beacons.find(DOOR.id), DOOR);
  assert.equal(beacons.ready(DOOR.id), JSON.stringify(DOOR));
  assert.equal(seen.reads, 1);
  rows.set(DOOR.id, JSON.stringify(GATE));
  commit('beacons.create', { id: DOOR.id }, 'replaced');
  assert.equal(beacons.ready(DOOR.id), undefined);
  assert.equal(beacons.json(DOOR.id), JSON.stringify(GATE));
  assert.equal(seen.reads, 2);
});

test('a commit of another beacon, or without effect, leaves what is ready', () => {
  const { beacons, rows, seen, commit } = counted();
  rows.set(DOOR.id, JSON.stringify(DOOR));
  beacons.json(DOOR.id);
  commit('beacons.create', { id: 'beacon-other' }, 'created');
  commit('beacons.create', { id: DOOR.id }, 'unchanged');
  commit('beacons.create', { id: DOOR.id }, 'conflict');
  commit('beacons.remove', { id: DOOR.id }, null);
  commit('access.touch', { id: DOOR.id }, 1);
  beacons.json(DOOR.id);
  assert.equal(seen.reads, 1);
});

test('a deletion, an import and a write of unknown outcome make nothing ready any more', () => {
  const { beacons, rows, commit } = counted();
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
    assert.equal(beacons.ready(DOOR.id), undefined, change[0]);
  }
});

test('a beacon that is not there is looked for each time', () => {
  const { beacons, rows, seen } = counted();
  for (let i = 0; i < 2; i += 1) assert.throws(() => beacons.json(DOOR.id), { code: 'NOT_FOUND' });
  assert.equal(seen.reads, 2);
  rows.set(DOOR.id, JSON.stringify(DOOR));
  assert.equal(beacons.json(DOOR.id), JSON.stringify(DOOR));
});

test(
  'an acknowledged change is what the next read answers, whether the old beacon was ready or not',
  withTestApp(async ({ beacons }) => {
    for (let n = 0; n < 200; n += 1) {
      const put = beacons.put(DOOR.id, { description: `Door ${n}` });
      // The writer commits while these read.
      const reader = setInterval(() => beacons.find(DOOR.id));
      const json = await put;
      assert.equal(beacons.json(DOOR.id), json);
      clearInterval(reader);
    }
    await beacons.remove(DOOR.id);
    assert.throws(() => beacons.json(DOOR.id), { code: 'NOT_FOUND' });
  }),
);

/** The responses to these requests on one connection, which the last one closes. */
async function ask(port: number, ...requests: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const last = requests.length - 1;
  for (const [nth, request] of requests.entries()) {
    socket.write(`${request}\r\n${nth === last ? 'Connection: close\r\n' : ''}\r\n`);
  }
  return (await text(socket)).replaceAll(/^Date: .*\r\n/gm, '');
}

test(
  'a ready beacon is answered as one from the database is',
  withTestApp(async ({ port, add, call }) => {
    await add(DOOR);
    const request = `GET /beacon?id=${DOOR.id} HTTP/1.1\r\nHost: localhost`;
    const first = await ask(port, request);
    assert.ok(first.endsWith(JSON.stringify(DOOR)), first);
    assert.equal(await ask(port, request), first);
    assert.equal(await ask(port, `${request}\r\nCookie: a=b`), first);
    const head = await ask(port, request.replace('GET', 'HEAD'));
    assert.equal(head, first.replace(JSON.stringify(DOOR), ''));
    const both = await ask(port, request, `GET /beacon?id=nobody-here HTTP/1.1\r\nHost: a`, request);
    assert.deepEqual(both.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    await add({ ...DOOR, id: 'a%20bcdef' }, { ...DOOR, id: 'a bcdef' });
    for (const id of ['a%20bcdef', 'a bcdef', 'a bcdef', 'a%20bcdef']) {
      const { json } = await call('GET', `/beacon?id=${encodeURIComponent(id)}`);
      assert.equal((json as { id: string }).id, id);
    }
    assertError(await call('GET', `/beacon?id=${DOOR.id}&id=${DOOR.id}`), 400, 'INVALID_INPUT');
  }),
);

test('a ready beacon is left to the routes when the host is another one, or the request has credentials', async () => {
  const { beacons, rows } = counted();
  rows.set(DOOR.id, JSON.stringify(DOOR));
  beacons.json(DOOR.id);
  const { app, server } = fastExpress({ ahead: beaconAhead(beacons, (host) => host === 'cart.example') });
  app.use((_req, res) => void res.status(204).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = `GET /beacon?id=${DOOR.id} HTTP/1.1\r\nHost: cart.example`;
  const ahead = [get, `${get}\r\nAccept: */*`, `${get}\r\nIf-None-Match: *`];
  const left = [
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
    for (const request of ahead) assert.match(await ask(port, request), /^HTTP\/1.1 200/, request);
    for (const request of left) assert.match(await ask(port, request), /^HTTP\/1.1 204/, request);
  } finally {
    server.close();
  }
});

test('what is answered ahead of the door is public', () => {
  const needs = new PolicyTable(policyOf(APIS)).find('GET', '/beacon').map(({ need }) => need);
  assert.deepEqual(needs, ['public']);
});

test.run();
