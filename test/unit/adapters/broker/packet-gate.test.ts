import assert from 'node:assert/strict';
import { generate, type Packet } from 'mqtt-packet';
import { suite } from 'uvu';
import type { BrokerOptions, EmbeddedBroker } from '../../../../src/adapters/broker/broker.js';
import { InputScheduler } from '../../../../src/shared/input-scheduler.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RawSocket } from '../../../helpers/raw-socket.js';
import { until } from '../../../helpers/until.js';
import { Inbox, openBroker, openBus, withCleanup } from '../../carts/mqtt/test-bus.js';

const test = suite('broker packet admission');

type Later = (end: () => Promise<unknown>) => void;

async function openRaw(broker: EmbeddedBroker, later: Later, clientId: string): Promise<RawSocket> {
  const raw = await RawSocket.open(broker.port);
  later(() => Promise.resolve(raw.end()));
  raw.write(generate({ cmd: 'connect', clientId, protocolId: 'MQTT', clean: true, keepalive: 0 }));
  await raw.until((received) => received.length === 4);
  return raw;
}

async function open(later: Later, options: Partial<BrokerOptions> = {}): Promise<EmbeddedBroker> {
  const broker = await openBroker(options);
  later(() => broker.close());
  return broker;
}

function publish(topic: string, payload: string | Buffer, qos: 0 | 1 | 2 = 0, messageId = 1): Buffer {
  return generate({ cmd: 'publish', topic, payload, qos, messageId, dup: false, retain: false });
}

/** In a scheduler with this clock, each event-loop iteration has time for at most three inputs. */
function slowClock(): () => number {
  let nowMs = 0;
  return () => ++nowMs;
}

const PACKETS = 1000;
const subscriptions = [{ topic: 'a/b', qos: 0 as const }];
/** Packets to which the broker responds, and the size of each response in bytes. */
const FLOODS: Record<string, [Packet, number]> = {
  pings: [{ cmd: 'pingreq' }, 2],
  subscriptions: [{ cmd: 'subscribe', messageId: 7, subscriptions }, 5],
  'QoS 1 messages': [
    { cmd: 'publish', topic: 't', payload: 'x', qos: 1, messageId: 7, dup: false, retain: false },
    4,
  ],
  'cancelled subscriptions': [{ cmd: 'unsubscribe', messageId: 7, unsubscriptions: ['a/b'] }, 4],
};
for (const [name, [packet, answerBytes]] of Object.entries(FLOODS)) {
  test(`the broker serves another client while one client sends a flood of ${name}`, () =>
    withCleanup(async (later) => {
      const senderOf = ({ clientId: id }: { clientId: string }) => ({ id, isGood: () => true });
      const broker = await open(later, { inputs: new InputScheduler(slowClock()), senderOf });
      const flood = await openRaw(broker, later, 'flood');
      const other = await openRaw(broker, later, 'other');
      flood.received = '';
      other.received = '';
      flood.write(Buffer.concat(Array<Buffer>(PACKETS).fill(generate(packet))));
      await flood.until(({ length }) => length > 0);
      other.write(generate({ cmd: 'pingreq' }));
      await other.until(({ length }) => length === 2);
      const handled = flood.received.length / answerBytes;
      assert.ok(handled < PACKETS / 2, `${handled} packets of the flood were handled first`);
      await flood.until(({ length }) => length === PACKETS * answerBytes);
    }));
}

const LARGE = 'x'.repeat(20_000);
const filters = Array.from({ length: 1500 }, (_, nth) => ({ topic: `filter/${nth}`, qos: 0 as const }));
const TOO_LARGE: Record<string, Buffer> = {
  'a message over 9 kB': publish('t', LARGE),
  'a message over 9 kB on a topic similar to one that permits large messages': publish(
    'homeassistant',
    LARGE,
  ),
  'a Home Assistant message over 64 kB': publish('homeassistant/device/cart/config', LARGE.repeat(4)),
  'a site plan over 257 kB': publish('cart/v1/site1/site/plan', LARGE.repeat(14)),
  'a large message with a topic of 300 bytes': publish(`${'t'.repeat(290)}/site/plan`, LARGE),
  'a subscription over 9 kB': generate({ cmd: 'subscribe', messageId: 1, subscriptions: filters }),
  'a message of 256 MB': Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f, 0, 1, 0x74]),
};
for (const [name, packet] of Object.entries(TOO_LARGE)) {
  test(`the broker closes the connection of a client that announces ${name}`, () =>
    withCleanup(async (later) => {
      const broker = await open(later);
      const raw = await openRaw(broker, later, 'raw');
      raw.write(packet.subarray(0, 400));
      await raw.closed();
      assert.equal(broker.stats().tooLarge, 1);
    }));
}

test('the broker accepts a Home Assistant message of 60 kB', () =>
  withCleanup(async (later) => {
    const broker = await open(later);
    const bus = await openBus(broker.port);
    later(() => bus.close());
    await bus.publish('homeassistant/device/cart/config', LARGE.repeat(3), { qos: 1 });
  }));

test('the broker accepts a site plan of 256 kB', () =>
  withCleanup(async (later) => {
    const broker = await open(later);
    const bus = await openBus(broker.port);
    later(() => bus.close());
    await bus.publish('cart/v1/site1/site/plan', 'x'.repeat(256 * 1024), { qos: 1 });
  }));

const connectPacket = generate({ cmd: 'connect', clientId: 'x', protocolId: 'MQTT', clean: true });
const PARTS: Record<string, Buffer> = {
  'one byte': Buffer.from([0x30]),
  'the header of a message': Buffer.from([0x30, 20]),
  'a part of a message': publish('t', 'x'.repeat(100)).subarray(0, 50),
  'a part of a large message': publish('homeassistant/config', LARGE).subarray(0, 10_000),
  'a part of a topic': publish('homeassistant/config', LARGE).subarray(0, 10),
};
for (const [name, part] of Object.entries(PARTS)) {
  test(`the broker closes a connection that sends only ${name} for more than 10 s`, () =>
    withCleanup(async (later) => {
      const clock = new FakeClock();
      const broker = await open(later, { clock });
      const idle = await openRaw(broker, later, 'idle');
      const raw = await openRaw(broker, later, 'raw');
      raw.write(part);
      await until(() => {
        clock.advance(1000);
        return broker.stats().incomplete === 1;
      });
      await raw.closed();
      idle.write(generate({ cmd: 'pingreq' }));
      await idle.until((received) => received.length === 6);
    }));
}

test('the broker closes an unauthenticated connection whose CONNECT packet is still incomplete after 10 s', () =>
  withCleanup(async (later) => {
    const clock = new FakeClock();
    const broker = await open(later, { clock });
    const raw = await RawSocket.open(broker.port);
    later(() => Promise.resolve(raw.end()));
    raw.write(connectPacket.subarray(0, 8));
    await until(() => {
      clock.advance(1000);
      return broker.stats().incomplete === 1;
    });
    await raw.closed();
  }));

test('the broker reads packets correctly wherever the stream is split', () =>
  withCleanup(async (later) => {
    const broker = await open(later);
    const bus = await openBus(broker.port);
    later(() => bus.close());
    const inbox = new Inbox(bus, 't/#');
    await inbox.settled();
    const stream = Buffer.concat([
      connectPacket,
      publish('t/1', 'first'),
      generate({ cmd: 'pingreq' }),
      publish('t/2', 'x'.repeat(300)),
      publish('t/3', ''),
    ]);
    for (const piece of [1, 3, 7, 4096]) {
      const raw = await RawSocket.open(broker.port);
      later(() => Promise.resolve(raw.end()));
      raw.socket.setNoDelay(true);
      const before = inbox.messages.length;
      for (let at = 0; at < stream.length; at += piece) {
        raw.write(stream.subarray(at, at + piece));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await until(() => inbox.messages.length === before + 3);
      const lengths = inbox.messages.slice(before).map(({ payload }) => payload.length);
      assert.deepEqual(lengths, [5, 300, 0], `pieces of ${piece} bytes`);
    }
  }));

test('the broker closes the connection of a client with more than eight unreleased QoS 2 messages', () =>
  withCleanup(async (later) => {
    const broker = await open(later);
    const raw = await openRaw(broker, later, 'raw');
    raw.received = '';
    for (let id = 1; id <= 8; id += 1) raw.write(publish('t', 'x', 2, id));
    await raw.until(({ length }) => length === 8 * 4);
    raw.write(publish('t', 'x', 2, 9));
    await raw.closed();
  }));

test.run();
