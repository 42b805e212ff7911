import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import packets from 'mqtt-packet';
import { test } from 'uvu';
import { MAX_PACKET_BYTES } from '../../../../src/adapters/broker/broker.js';
import { PacketSizeGuard } from '../../../../src/adapters/broker/newcomers.js';
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

test('a port that is taken is a sentence with a hint', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    await assert.rejects(
      openBroker({ port: broker.port }),
      (error: Error & { code: string; info: { hint: Message } }) => {
        assert.equal(error.code, 'BROKER_PORT');
        assert.match(
          error.message,
          /cannot listen on 127\.0\.0\.1:\d+: another program listens there already/,
        );
        return error.info.hint.text.length > 0;
      },
    );
  }));

test('what writes the packets keeps no table of every number', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const bus = await openBus(broker.port);
    later(() => bus.close());
    assert.equal(packets.writeToStream.cacheNumbers, false);
  }));

// Fault case 37
test('a packet over 256 kB ends its connection before it has been collected; others go on', () =>
  withCleanup(async (later) => {
    const log = new RecordingLog();
    const broker = await openBroker({ log });
    later(() => broker.close());
    const [bad, good] = [await openBus(broker.port), await openBus(broker.port)];
    later(() => Promise.all([bad.close(), good.close()]));
    const inbox = new Inbox(good, 't');
    const gone = disconnected(bad);
    const sent = bad.publish('t', 'x'.repeat(MAX_PACKET_BYTES), { qos: 1 });
    await assert.rejects(sent, { code: 'BROKER_DOWN' });
    await gone;
    await good.publish('t', 'small', { qos: 1 });
    await inbox.first('small');
    assert.equal(inbox.messages.length, 1);
    assert.equal(broker.stats().tooLarge, 1);
    assert.ok(log.events().includes('broker.packet_too_large'));
    await connected(bad);
  }));

test('packet borders are followed through any split of the stream', () => {
  const packet = (length: number) =>
    Buffer.concat([Buffer.from([0x30, (length & 127) | 128, length >> 7]), Buffer.alloc(length, 0xff)]);
  const stream = Buffer.concat([Buffer.from([0xc0, 0]), packet(300), packet(1000), packet(200)]);
  for (const piece of [1, 3, 7, 4096]) {
    const guard = new PacketSizeGuard(1000);
    for (let at = 0; at < stream.length; at += piece)
      assert.ok(guard.allows(stream.subarray(at, at + piece)));
    assert.equal(guard.allows(packet(1001)), false);
  }
  assert.equal(new PacketSizeGuard(2 ** 30).allows(Buffer.from([0x30, 255, 255, 255, 255, 1])), false);
});

test('noise on the port ends that connection only', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const socket = connect(broker.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(Buffer.alloc(2000, 0xf7));
    await within(once(socket, 'close'), 'noise is cut off');
    const bus = await openBus(broker.port);
    later(() => bus.close());
    assert.equal(broker.stats().clients, 1);
  }));

test('closing ends every connection, also one that has not said a word', () =>
  withCleanup(async () => {
    const broker = await openBroker();
    const bus = await openBus(broker.port);
    const mute = connect(broker.port, '127.0.0.1');
    mute.on('error', () => {});
    await once(mute, 'connect');
    const gone = Promise.all([once(mute, 'close'), disconnected(bus)]);
    await within(broker.close(), 'closed');
    await within(gone, 'everybody is gone');
    await bus.close();
  }));

test.run();
