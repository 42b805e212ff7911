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
import { rounds } from '../../helpers/random.js';
import { freePort, hasMosquitto, startMosquitto } from '../mqtt/mosquitto.js';

/** Publishes arbitrary messages as an authorised client on every topic to which a gateway subscribes. */
const test = suite('attack: MQTT messages');

const RUNS = rounds(400, 4000);
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
/** Valid fields, for messages that are nearly valid. */
const HEADER = { headerId: 1, cartID: 1, gatewayId: 'stranger', sessionId: UUID, commandId: UUID, seq: 1 };
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-1, 0, 1, 2 ** 32, 1e308, '', 'stop', 'ONLINE', UUID, '{{7*7}}', '\u0000', '😀', [], {}, [
    [],
  ]),
);
const nearlyValid = fc
  .dictionary(fc.constantFrom(...MEMBERS, '__proto__', 'constructor'), odd)
  .map((members) => Buffer.from(JSON.stringify({ ...HEADER, ...members })));
const payload = fc.oneof(
  { weight: 3, arbitrary: nearlyValid },
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
    // Messages arrive in order, so all earlier messages have been processed when this message arrives.
    const online = { ...HEADER, cartID: 78, gatewayId: 'last', connectionState: 'ONLINE' };
    await client.publishAsync(`cart/v1/${FLEET}/78/connection`, JSON.stringify(online), {
      qos: 1,
      retain: true,
    });
    await gateway.untilCart(78, () => true);
    const thrown = gateway.log.filter(({ event }) => /listener_failed|crashed/.test(String(event)));
    assert.deepEqual(thrown, []);
    assert.equal((await gateway.call('GET', '/livez')).status, 200);
    // Carts that the attacker announced may fail to confirm the stop; the gateway's own cart must confirm it.
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

test('the gateway keeps running when its embedded broker receives arbitrary messages', async () => {
  const port = await freePort();
  await attack({ broker: 'embedded', port }, port);
});

if (hasMosquitto)
  test('the gateway keeps running when it receives arbitrary messages from a mosquitto broker', async () => {
    const mosquitto = await startMosquitto();
    try {
      await attack({ broker: 'external', host: '127.0.0.1', port: mosquitto.port }, mosquitto.port);
    } finally {
      await mosquitto.close();
    }
  });
else process.stdout.write('SKIPPED: arbitrary messages through mosquitto (mosquitto is not installed)\n');

test.run();
