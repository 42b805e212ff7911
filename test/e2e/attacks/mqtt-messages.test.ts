import assert from 'node:assert/strict';
import fc from 'fast-check';
import { connectAsync } from 'mqtt';
import { suite } from 'uvu';
import {
  ackMessageSchema,
  commandMessageSchema,
  connectionMessageSchema,
  instantActionsMessageSchema,
} from '../../../src/carts/mqtt/messages/schema.js';
import {
  stateMessageSchema,
  visualizationMessageSchema,
} from '../../../src/carts/mqtt/messages/state-schema.js';
import { TOPIC_NAMES } from '../../../src/carts/mqtt/messages/topics.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { freePort, hasMosquitto, layMosquitto } from '../mqtt/mosquitto.js';

/** Everything that can be said on the topics that a gateway hears, by somebody who may say it. */
const test = suite('attack: MQTT messages');

const RUNS = 400;
const FLEET = 'attacked';
const MEMBERS = [
  commandMessageSchema,
  ackMessageSchema,
  instantActionsMessageSchema,
  connectionMessageSchema,
  stateMessageSchema,
  visualizationMessageSchema,
].flatMap(({ properties }) => Object.keys(properties));

const UUID = '00000000-0000-4000-8000-000000000001';
/** What makes a message nearly right. */
const HEADER = { headerId: 1, cartID: 1, gatewayId: 'stranger', sessionId: UUID, commandId: UUID, seq: 1 };
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-1, 0, 1, 2 ** 32, 1e308, '', 'stop', 'ONLINE', UUID, '{{7*7}}', '\u0000', '😀', [], {}, [
    [],
  ]),
);
const nearlyRight = fc
  .dictionary(fc.constantFrom(...MEMBERS, '__proto__', 'constructor'), odd)
  .map((members) => Buffer.from(JSON.stringify({ ...HEADER, ...members })));
const payload = fc.oneof(
  { weight: 3, arbitrary: nearlyRight },
  { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)) },
  fc.constantFrom(
    Buffer.alloc(9000, '['),
    Buffer.from(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`),
    Buffer.from('{"__proto__":{"polluted":1}}'),
    Buffer.from('\ufeff{}'),
    Buffer.from([0xff, 0xfe, 0x7b]),
  ),
);
const level = fc.constantFrom('1', '2', '77', '_all', '0', '65536', '01', '__proto__', '1e1');
const topic = fc.tuple(level, fc.constantFrom(...TOPIC_NAMES));
const options = fc.record({ qos: fc.constantFrom(0 as const, 1 as const), retain: fc.boolean() });

async function attack(mqtt: object, port: number): Promise<void> {
  const gateway = await GatewayProcess.start({
    mqtt,
    gateway: { fleet: FLEET },
    safety: { allowUnknownCarts: true },
  });
  try {
    await gateway.logged('broker.connected');
    const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0 }, false);
    await fc.assert(
      fc.asyncProperty(topic, payload, options, async ([cart, name], bytes, how) => {
        await client.publishAsync(`cart/v1/${FLEET}/${cart}/${name}`, bytes, how);
      }),
      { numRuns: RUNS, seed: 1 },
    );
    // What is heard last has come after everything else.
    const online = { ...HEADER, cartID: 78, gatewayId: 'last', connectionState: 'ONLINE' };
    await client.publishAsync(`cart/v1/${FLEET}/78/connection`, JSON.stringify(online), {
      qos: 1,
      retain: true,
    });
    await gateway.untilCart(78, () => true);
    const thrown = gateway.log.filter(({ event }) => /listener_failed|crashed/.test(String(event)));
    assert.deepEqual(thrown, []);
    assert.equal((await gateway.call('GET', '/livez')).status, 200);
    // Carts that the attacker speaks for may not confirm; the own one does.
    const { status, body } = await gateway.call<{ carts: { cartID: number; confirmed: boolean }[] }>(
      'POST',
      '/estop',
    );
    assert.ok([200, 207].includes(status), String(status));
    assert.equal(body.carts.find(({ cartID }) => cartID === 1)?.confirmed, true);
    for (const page of ['/', '/fleet', '/carts']) assert.equal((await gateway.call('GET', page)).status, 200);
    await client.endAsync(true);
  } finally {
    assert.equal(await gateway.close(), 0);
  }
}

test('no message breaks a gateway with a broker of its own', async () => {
  const port = await freePort();
  await attack({ broker: 'embedded', port }, port);
});

if (hasMosquitto)
  test('no message breaks a gateway at mosquitto', async () => {
    const mosquitto = await layMosquitto();
    try {
      await attack({ broker: 'external', host: '127.0.0.1', port: mosquitto.port }, mosquitto.port);
    } finally {
      await mosquitto.close();
    }
  });
else process.stdout.write('SKIPPED: no message breaks a gateway at mosquitto (it is not installed)\n');

test.run();
