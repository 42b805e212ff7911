import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import { type ApiClients, openApiClients } from '../../helpers/api-clients.js';
import { FLOODS, Flood, type FloodOptions } from '../../helpers/flood.js';

/** Checks latching stops and memory use during short floods. `node dist/bench/flood.js` measures full-length floods. */
const test = suite('attack: floods');

const MAX_RSS_MB = 256;
const STOPS = 30;

let clients: ApiClients;
let port = 0;

test.before(async () => {
  process.env.NO_VALIDATION = '1';
  clients = await openApiClients();
  port = Number(new URL(clients.gateway.url).port);
});
test.after(async () => {
  assert.equal(await clients.gateway.close(), 0);
});

function residentMb(): number {
  const status = readFileSync(`/proc/${clients.gateway.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const FLOOD_CASES: Record<string, () => FloodOptions[]> = {
  'pipelined requests whose responses are not read': () => [FLOODS.unread(port)],
  'long lists of languages': () => [FLOODS.languages(port)],
  'searches for the nearest beacons': () => [FLOODS.nearest(port)],
  'all three kinds of request from three addresses': () => [
    FLOODS.unread(port),
    FLOODS.languages(port),
    FLOODS.nearest(port),
  ],
};

for (const [name, options] of Object.entries(FLOOD_CASES)) {
  test(`confirms every latching stop and limits memory use during a flood of ${name}`, async () => {
    const floods = options().map((each) => new Flood(each));
    try {
      for (const flood of floods) await flood.connected();
      for (let nth = 0; nth < STOPS; nth += 1) {
        const { status } = await clients.operator('POST', '/estop', { body: { cartID: 1 } });
        assert.equal(status, 200);
        assert.ok(residentMb() <= MAX_RSS_MB, `${residentMb()} MB`);
      }
    } finally {
      await Promise.all(floods.map((flood) => flood.stop()));
    }
    assert.equal((await clients.anonymous('GET', '/livez')).status, 200);
  });
}

test.run();
