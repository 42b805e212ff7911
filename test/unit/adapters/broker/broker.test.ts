import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import packets from 'mqtt-packet';
import { test } from 'uvu';
import { MAX_PACKET_BYTES } from '../../../../src/adapters/broker/packet-gate.js';
import { PacketLimit } from '../../../../src/adapters/mqtt/packet-limit.js';
import type { Message } from '../../../../src/shared/messages/message.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import {
  connected,
  disconnected,
  Inbox,
  openBroker,
  openBus,
  withCleanup,
  within,
} from '../../carts/mqtt/test-bus.js';

test('reports a port that is already in use and adds a hint', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    await assert.rejects(
      openBroker({ port: broker.port }),
      (error: Error & { code: string; info: { hint: Message } }) => {
        assert.equal(error.code, 'BROKER_PORT');
        assert.match(
          error.message,
          /cannot listen on 127\.0\.0\.1:\d+: another program is already listening on this address/,
        );
        return error.info.hint.text.length > 0;
      },
    );
  }));

test("the broker disables mqtt-packet's number cache", () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const bus = await openBus(broker.port);
    later(() => bus.close());
    assert.equal(packets.writeToStream.cacheNumbers, false);
  }));

// Fault case 37
test('a packet over 9 kB closes only its own connection, before the packet is buffered', () =>
  withCleanup(async (later) => {
    const log = new RecordingLog();
    const broker = await openBroker({ log });
    later(() => broker.close());
    const [bad, good] = [await openBus(broker.port), await openBus(broker.port)];
    later(() => Promise.all([bad.close(), good.close()]));
    const inbox = new Inbox(good, 't');
    const ended = disconnected(bad);
    const sent = bad.publish('t', 'x'.repeat(MAX_PACKET_BYTES), { qos: 1 });
    await assert.rejects(sent, { code: 'BROKER_DOWN' });
    await ended;
    await good.publish('t', 'small', { qos: 1 });
    await inbox.first('small');
    assert.equal(inbox.messages.length, 1);
    assert.equal(broker.stats().tooLarge, 1);
    assert.ok(log.events().includes('broker.packet_rejected'));
    await connected(bad);
  }));

test('finds packet boundaries regardless of where the stream is split', () => {
  const packet = (length: number) =>
    Buffer.concat([Buffer.from([0x30, (length & 127) | 128, length >> 7]), Buffer.alloc(length, 0xff)]);
  const stream = Buffer.concat([Buffer.from([0xc0, 0]), packet(300), packet(1000), packet(200)]);
  for (const piece of [1, 3, 7, 4096]) {
    const guard = new PacketLimit(1000);
    for (let at = 0; at < stream.length; at += piece)
      assert.ok(guard.allows(stream.subarray(at, at + piece)));
    assert.equal(guard.allows(packet(1001)), false);
  }
  assert.equal(new PacketLimit(2 ** 30).allows(Buffer.from([0x30, 255, 255, 255, 255, 1])), false);
});

test('permits packets of up to 257 kB only on the topic of a site plan, wherever the stream is split', () => {
  const publish = (topic: string, kilobytes: number) =>
    packets.generate({
      cmd: 'publish',
      topic,
      payload: 'x'.repeat(1024 * kilobytes),
      qos: 0,
      dup: false,
      retain: false,
    });
  for (const [packet, isAllowed] of [
    [publish('cart/v1/site1/site/plan', 256), true],
    [publish('cart/v1/site1/site/plan', 257), false],
    [publish('cart/v1/site1/site/plans', 65), false],
    [publish('cart/v1/site1/2/state', 65), false],
    [publish('cart/v1/site1/2/state', 63), true],
  ] as const) {
    for (const piece of [1, 3, 70_000]) {
      const limit = new PacketLimit();
      let allowed = true;
      for (let at = 0; at < packet.length; at += piece)
        allowed &&= limit.allows(packet.subarray(at, at + piece));
      assert.equal(allowed && limit.allows(Buffer.from([0xc0, 0])), isAllowed);
    }
  }
});

test('invalid bytes close only the connection that sent them', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const socket = connect(broker.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(Buffer.alloc(2000, 0xf7));
    await within(once(socket, 'close'), 'the connection is closed');
    const bus = await openBus(broker.port);
    later(() => bus.close());
    assert.equal(broker.stats().clients, 1);
  }));

test('closing the broker closes every connection, including one that has sent nothing', () =>
  withCleanup(async () => {
    const broker = await openBroker();
    const bus = await openBus(broker.port);
    const silent = connect(broker.port, '127.0.0.1');
    silent.on('error', () => {});
    await once(silent, 'connect');
    const ended = Promise.all([once(silent, 'close'), disconnected(bus)]);
    await within(broker.close(), 'closed');
    await within(ended, 'all connections are closed');
    await bus.close();
  }));

test.run();
