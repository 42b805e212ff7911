import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import { Attack, type AttackOptions } from '../../helpers/attack.js';
import { GatewayProcess } from '../../helpers/gateway.js';

/** Checks stops and memory use during short attacks. `node dist/bench/attack.js` measures full-length attacks. */
const test = suite('attacks on all servers');

const MAX_RSS_MB = 256;
const STOPS = 10;

let gateway: GatewayProcess;
let brokerPort = 0;
let httpPort = 0;

test.before(async () => {
  gateway = await GatewayProcess.start(
    { carts: [{ cartID: 7, name: 'Seven' }] },
    { CARTWRIGHT_AUTH: 'trusted-lan', NO_VALIDATION: '1' },
  );
  httpPort = Number(new URL(gateway.url).port);
  brokerPort = Number(new URL(await gateway.untilBroker()).port);
});
test.after(async () => {
  assert.equal(await gateway.close(), 0);
});

function residentMb(): number {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const host = '127.0.0.1';
const flood =
  (kind: string, connections = 8) =>
  (): AttackOptions => ({
    kind,
    host,
    port: brokerPort,
    connections,
  });
const ATTACKS: Record<string, () => AttackOptions> = {
  'a flood of states': flood('state'),
  'a flood of sightings': flood('sightings'),
  'a flood of subscriptions': flood('subscribe'),
  'a flood of pings': flood('ping'),
  'QoS 1 messages whose acknowledgements are not read': flood('qos1-unread'),
  'QoS 2 messages that are never released': flood('qos2-unreleased'),
  'broker packets that never arrive completely': flood('partial', 500),
  'uploads that never arrive completely': () => ({ kind: 'upload', host, port: httpPort, connections: 60 }),
};

for (const [name, options] of Object.entries(ATTACKS)) {
  test(`confirms every latching stop of a moving cart and limits memory use during ${name}`, async () => {
    const attack = await Attack.start(options());
    try {
      for (let nth = 0; nth < STOPS; nth += 1) {
        await gateway.resetCart(1);
        assert.equal((await gateway.move(1, 9000, { maxSpeed: 100 })).status, 200);
        assert.equal((await gateway.call('POST', '/estop', { cartID: 1 })).status, 200);
        assert.ok(residentMb() <= MAX_RSS_MB, `${residentMb()} MB`);
      }
    } finally {
      await attack.stop();
    }
    assert.equal((await gateway.call('GET', '/livez')).status, 200);
  });
}

test.run();
