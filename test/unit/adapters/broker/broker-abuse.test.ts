import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { generate } from 'mqtt-packet';
import { suite } from 'uvu';
import type { EmbeddedBroker } from '../../../../src/adapters/broker/broker.js';
import {
  MAX_RETAINED_BYTES,
  MAX_RETAINED_SHARE,
  RetainedBudget,
} from '../../../../src/adapters/broker/retained.js';
import { retainedBufferBytes } from '../../../helpers/retained-buffers.js';
import { openBroker, withCleanup, within } from '../../carts/mqtt/test-bus.js';

const test = suite('embedded broker under attack');

function join(broker: EmbeddedBroker, options: IClientOptions = {}): Promise<MqttClient> {
  return connectAsync(`mqtt://127.0.0.1:${broker.port}`, { reconnectPeriod: 0, ...options }, false);
}

const disconnected = (client: MqttClient): Promise<void> =>
  within(new Promise((resolve) => client.once('close', () => resolve())), 'the connection is closed');
const received = (client: MqttClient): Promise<void> =>
  within(new Promise((resolve) => client.once('message', () => resolve())), 'a message');

test('rejects a client ID that is already in use by a different user', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const own = await join(broker, { clientId: 'cart-hall-1', username: 'gateway' });
    later(() => own.endAsync(true));
    for (const username of ['stranger', '', 'Gateway'])
      await assert.rejects(join(broker, { clientId: 'cart-hall-1', username }));
    assert.equal(own.connected, true);
    // The same user reconnects before the broker detects that the old connection is dead.
    const again = await join(broker, { clientId: 'cart-hall-1', username: 'gateway' });
    await again.endAsync(true);
    const other = await join(broker, { clientId: 'cart-hall-1', username: 'stranger' });
    await other.endAsync(true);
  }));

test('disconnects a subscriber that does not read, without delaying other clients', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const frozen = connect(broker.port, '127.0.0.1');
    later(() => Promise.resolve(frozen.destroy()));
    frozen.write(
      generate({ cmd: 'connect', clientId: 'frozen', protocolId: 'MQTT', clean: true, keepalive: 0 }),
    );
    await once(frozen, 'data');
    const subscriptions = [{ topic: '#', qos: 0 as const }];
    frozen.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions }));
    await once(frozen, 'data');
    frozen.pause();
    const other = await join(broker);
    const listener = await join(broker);
    later(() => Promise.all([other.endAsync(true), listener.endAsync(true)]));
    await listener.subscribeAsync('stop', { qos: 1 });
    const payload = Buffer.alloc(4000);
    for (let rounds = 0; broker.stats().clients === 3; rounds += 1) {
      assert.ok(rounds < 2000, 'the client was not dropped within 200 MB');
      const stopped = received(listener);
      // 100 kB is below the limit for unsent bytes, but larger than one batch of the emitter.
      for (let sent = 0; sent < 25; sent += 1) other.publish('state', payload);
      await other.publishAsync('stop', 'now', { qos: 1 });
      await stopped;
    }
  }));

test('storing a retained message does not keep the whole read buffer in memory', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const client = await join(broker);
    later(() => client.endAsync(true));
    const before = await retainedBufferBytes();
    for (let at = 0; at < 1000; at += 1) {
      // Sends both packets in one TCP segment.
      client.stream.cork();
      client.publish('t/junk', Buffer.alloc(8000));
      const sent = client.publishAsync(`t/${at}`, 'x', { retain: true, qos: 1 });
      client.stream.uncork();
      await sent;
    }
    const grown = ((await retainedBufferBytes()) - before) / 2 ** 20;
    assert.ok(grown < 5, `${grown.toFixed(1)} MiB for 1000 bytes`);
  }));

test("limits the size of a user's retained messages, but lets the user replace and clear them", () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const payload = Buffer.alloc(8000, 'a');
    // Each message counts for 512 bytes and the length of its topic in addition to its payload.
    const fits = Math.floor(MAX_RETAINED_SHARE / (payload.length + 520));
    const first = await join(broker);
    for (let at = 0; at < fits; at += 1)
      await first.publishAsync(`t/${at}`, payload, { retain: true, qos: 1 });
    const cut = disconnected(first);
    first.publish('t/more', payload, { retain: true, qos: 1 });
    await cut;
    const second = await join(broker);
    later(() => second.endAsync(true));
    await second.publishAsync('t/0', payload, { retain: true, qos: 1 });
    await second.publishAsync('t/1', '', { retain: true, qos: 1 });
    await second.publishAsync('t/more', payload, { retain: true, qos: 1 });
    await second.publishAsync('t/not-kept', payload, { qos: 1 });
    const other = await join(broker, { username: 'other' });
    later(() => other.endAsync(true));
    await other.publishAsync('other/1', payload, { retain: true, qos: 1 });
  }));

test('counts a retained message towards the limit of its latest publisher', () => {
  const budget = new RetainedBudget();
  const half = Buffer.alloc(MAX_RETAINED_SHARE - 1000);
  const accepts = (topic: string, payload: Buffer, user: string): boolean =>
    budget.accepts({ topic, payload }, user);
  assert.ok(accepts('a', half, 'ann'));
  assert.ok(!accepts('more', half, 'ann'));
  assert.ok(accepts('b', half, 'bo'));
  assert.ok(!accepts('c', half, 'cas'), `the total is limited to ${MAX_RETAINED_BYTES} bytes`);
  assert.ok(accepts('a', half, 'cas'), 'replaces the topic of another user');
  assert.ok(accepts('b', Buffer.alloc(0), 'cas'), 'cleared');
  assert.ok(accepts('more', half, 'ann'));
  assert.ok(!accepts('d', half, 'cas'));
});

test('does not queue messages for a disconnected client, even with a persistent session', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const persistent = { clientId: 'cart-7', clean: false };
    const before = await join(broker, persistent);
    await before.subscribeAsync('command', { qos: 1 });
    await before.endAsync(true);
    const sender = await join(broker);
    later(() => sender.endAsync(true));
    await sender.publishAsync('command', 'stale', { qos: 1 });
    const after = await join(broker, persistent);
    later(() => after.endAsync(true));
    const payloads: string[] = [];
    after.on('message', (_topic, payload) => payloads.push(String(payload)));
    await after.subscribeAsync('command', { qos: 1 });
    const fresh = received(after);
    await sender.publishAsync('command', 'fresh', { qos: 1 });
    await fresh;
    assert.deepEqual(payloads, ['fresh']);
  }));

/** A CONNECT packet: protocol `MQTT`, level 4, clean session, keep-alive of one minute, client ID `x`. */
const CONNECT = [0x10, 13, 0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, 60, 0, 1, 0x78];

const BROKEN: Record<string, number[]> = {
  'an HTTP request': [...Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  'a packet before CONNECT': [0x30, 5, 0, 1, 0x61, 0x62, 0x63],
  'a second CONNECT': [...CONNECT, ...CONNECT],
  'a length of five bytes': [0x10, 0xff, 0xff, 0xff, 0xff, 0x7f],
  'an unknown protocol': [0x10, 12, 0, 4, 0x4d, 0x51, 0x54, 0x00, 9, 2, 0, 60, 0, 0],
  'a name longer than its packet': [0x10, 12, 0xff, 0xff, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, 60, 0, 0],
  'a reserved packet': [...CONNECT, 0x00, 0],
  'QoS 3': [...CONNECT, 0x36, 5, 0, 1, 0x61, 0, 1],
  'a topic with wildcards': [...CONNECT, 0x30, 4, 0, 2, 0x23, 0x2b],
  'an empty topic': [...CONNECT, 0x30, 2, 0, 0],
  'a topic with invalid UTF-8': [...CONNECT, 0x30, 4, 0, 2, 0xff, 0xfe],
  'a topic with a NUL': [...CONNECT, 0x30, 4, 0, 2, 0x61, 0],
  'a subscription without filters': [...CONNECT, 0x82, 2, 0, 1],
  'an invalid filter': [...CONNECT, 0x82, 8, 0, 1, 0, 3, 0x61, 0x23, 0x61, 0],
  'acknowledgements without a message': [
    ...CONNECT,
    0x40,
    2,
    0,
    9,
    0x50,
    2,
    0,
    9,
    0x62,
    2,
    0,
    9,
    0x70,
    2,
    0,
    9,
  ],
};

async function sendRaw(broker: EmbeddedBroker, bytes: Uint8Array): Promise<Socket> {
  const socket = connect(broker.port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.resume();
  await new Promise((resolve) => socket.write(bytes, resolve));
  return socket;
}

test('a malformed packet closes only the connection that sent it', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const other = await join(broker);
    later(() => other.endAsync(true));
    await other.subscribeAsync('status');
    const sockets: Socket[] = [];
    later(() => sockets.map((socket) => socket.destroy()));
    for (const bytes of Object.values(BROKEN)) sockets.push(await sendRaw(broker, Uint8Array.from(bytes)));
    const random = fc.tuple(fc.boolean(), fc.uint8Array({ maxLength: 300 }));
    await fc.assert(
      fc.asyncProperty(random, async ([isConnected, noise]) => {
        sockets.push(await sendRaw(broker, Uint8Array.from([...(isConnected ? CONNECT : []), ...noise])));
      }),
      { numRuns: 300, seed: 8 },
    );
    const message = received(other);
    await other.publishAsync('status', 'here', { qos: 1 });
    await message;
    await (await join(broker)).endAsync(true);
  }));

test('keeps serving other clients when one client uses deeply nested topics and a thousand filters', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const client = await join(broker);
    client.publish(`${'a/'.repeat(30_000)}a`, 'deep');
    client.subscribe(Array.from({ length: 1000 }, (_, at) => `${'+/'.repeat(100)}${at}`));
    client.on('error', () => undefined);
    const other = await join(broker);
    await other.publishAsync('t', 'x', { qos: 1 });
    await Promise.all([client.endAsync(true), other.endAsync(true)]);
  }));

test.run();
