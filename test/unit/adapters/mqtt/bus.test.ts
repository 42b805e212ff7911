import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { generate } from 'mqtt-packet';
import { test } from 'uvu';
import { connectBus, testBroker } from '../../../../src/adapters/mqtt/mqtt.js';
import { systemClock } from '../../../../src/shared/clock.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { MessageBus } from '../../../../src/shared/ports/mqtt.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { GIVE_UP_MS, until } from '../../../helpers/until.js';
import {
  busOptions,
  connected,
  disconnected,
  echo,
  Inbox,
  openBroker,
  openBus,
  status,
  withCleanup,
  within,
} from '../../carts/mqtt/test-bus.js';
import { rawBroker } from '../broker/raw-broker.js';

const isPublish = ({ type }: { type: number }) => type === 3;

test('delivers messages with the correct retain flag to a subscriber on another connection', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const [a, b] = [await openBus(broker.port), await openBus(broker.port)];
    later(() => Promise.all([a.close(), b.close()]));
    await a.publish('t/1', 'kept', { qos: 1, retain: true });
    const inbox = new Inbox(b, 't/+');
    assert.equal((await inbox.first('retained')).retain, true);
    await a.publish('t/2', 'live', { qos: 0 });
    const live = await inbox.first('live', ({ topic }) => topic === 't/2');
    assert.deepEqual([live.payload.toString(), live.retain], ['live', false]);
  }));

// Fault case 29
test('rejects QoS 0 and QoS 1 publishes immediately, with the reason, when no broker is listening', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    await broker.close();
    const bus = connectBus(busOptions(broker.port));
    later(() => bus.close());
    const { reason } = await status(bus, 'refused', (now) =>
      textOf(now.reason).includes('connection refused'),
    );
    assert.match(textOf(reason), /^mqtt:\/\/127\.0\.0\.1:\d+: connection refused/);
    for (const qos of [0, 1] as const) {
      await assert.rejects(bus.publish('a', 'b', { qos }), { code: 'BROKER_DOWN' });
    }
  }));

// Fault case 29
test('reports an incorrect password without revealing it, and retries with backoff', () =>
  withCleanup(async (later) => {
    const broker = await openBroker({ authenticate: (_client, password) => password === 'right' });
    later(() => broker.close());
    const clock = new FakeClock();
    const log = new RecordingLog();
    const bus = connectBus(
      busOptions(broker.port, { clock, log, username: 'cart', password: 'hunter2', random: () => 1 }),
    );
    later(() => bus.close());
    const { reason } = await status(bus, 'refused', (now) => textOf(now.reason).includes('rejected'));
    assert.match(textOf(reason), /rejected the username or password/);
    assert.ok(!JSON.stringify([reason, log.lines]).includes('hunter2'));
    // With random() = 1, the jitter is at its maximum, so the retry happens after exactly 500 ms.
    assert.equal(clock.timers, 1);
    clock.advance(499);
    assert.equal(clock.timers, 1);
    clock.advance(1);
    assert.equal(clock.timers, 0);
  }));

// Fault case 29
test('a client with MQTT version 5 reports that the embedded broker does not support this version', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const five = connectBus(busOptions(broker.port, { protocolVersion: 5 }));
    later(() => five.close());
    const { reason } = await status(five, 'refused', (now) => textOf(now.reason).includes('MQTT version'));
    assert.match(textOf(reason), /does not support this MQTT version/);
  }));

test('the client setting "auto" falls back to MQTT 3.1.1 with the embedded broker', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const auto = await openBus(broker.port, { protocolVersion: 'auto' });
    later(() => auto.close());
    await echo(auto);
  }));

test('reports different reasons for an unknown host, a silent broker and a port without TLS', () =>
  withCleanup(async (later) => {
    const silent = await rawBroker({ connack: () => undefined });
    later(() => silent.close());
    const plain = await openBroker();
    later(() => plain.close());
    const cases = [
      {
        ...busOptions(1),
        host: 'no-such-host.invalid',
        pattern: /server name no-such-host\.invalid (cannot be found|could not be looked up)/,
      },
      { ...busOptions(silent.port), connectTimeoutMs: 50, pattern: /no response from the MQTT server/ },
      { ...busOptions(plain.port), protocol: 'mqtts' as const, pattern: /TLS|closed|reset/ },
    ];
    for (const { pattern, ...options } of cases) {
      const bus = connectBus({ ...options, random: () => 1 });
      later(() => bus.close());
      const { reason } = await status(bus, String(pattern), (now) => textOf(now.reason) !== 'connecting');
      assert.match(textOf(reason), pattern);
    }
  }));

// Fault case 30
test('rejects an in-flight QoS 1 publish when the connection closes, and never resends it', () =>
  withCleanup(async (later) => {
    const broker = await rawBroker({ puback: (connection) => connection > 1 });
    later(() => broker.close());
    const bus = await openBus(broker.port);
    later(() => bus.close());
    const first = bus.publish('motion', 'first', { qos: 1 });
    await broker.first(isPublish);
    broker.disconnect();
    await assert.rejects(first, { code: 'BROKER_DOWN' });
    await connected(bus);
    await bus.publish('motion', 'second', { qos: 1 });
    const sent = broker.packets.filter(isPublish).map(({ body }) => body.toString('latin1'));
    assert.deepEqual(
      sent.map((body) => /first|second/.exec(body)?.[0]),
      ['first', 'second'],
    );
  }));

// Fault case 30
test('rejects a message that is published while disconnected, and does not deliver it after the reconnection', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    const bus = await openBus(broker.port);
    later(() => bus.close());
    await broker.close();
    await disconnected(bus);
    for (let i = 0; i < 20; i++) {
      await assert.rejects(bus.publish('stale', String(i), { qos: i % 2 === 0 ? 0 : 1 }), {
        code: 'BROKER_DOWN',
      });
    }
    const again = await openBroker({ port: broker.port });
    later(() => again.close());
    const observer = await openBus(broker.port);
    later(() => observer.close());
    const inbox = new Inbox(observer, 'stale');
    await echo(observer);
    await connected(bus);
    await echo(bus);
    await inbox.settled();
    assert.deepEqual(inbox.messages, []);
  }));

test('the client resubscribes after a reconnection', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    const bus = await openBus(broker.port);
    later(() => bus.close());
    const inbox = new Inbox(bus, 'status');
    await broker.close();
    await disconnected(bus);
    const again = await openBroker({ port: broker.port });
    later(() => again.close());
    await connected(bus);
    await bus.publish('status', 'after', { qos: 1 });
    assert.equal((await inbox.first('after')).payload.toString(), 'after');
  }));

// Fault case 31
test('detects an unresponsive broker on an open connection, even while publishing', () =>
  withCleanup(async (later) => {
    const broker = await rawBroker({ pong: () => false });
    later(() => broker.close());
    const bus = await openBus(broker.port, { keepaliveS: 1 });
    later(() => bus.close());
    // Publishing must not postpone the keep-alive check, because a publish does not prove that the broker is
    // reading.
    const publishing = setInterval(() => void bus.publish('state', 'x', { qos: 0 }).catch(() => {}), 100);
    later(() => clearInterval(publishing));
    const { reason } = await disconnected(bus);
    assert.match(textOf(reason), /stopped responding/);
  }));

// Fault case 31
test('reconnects repeatedly, one connection at a time, to a broker that is silent for an hour', () =>
  withCleanup(async (later) => {
    let isSilent = true;
    const broker = await rawBroker({ connack: () => (isSilent ? undefined : 0) });
    later(() => broker.close());
    const [clock, log] = [new FakeClock(), new RecordingLog()];
    const bus = connectBus(
      busOptions(broker.port, { clock, log, connectTimeoutMs: 20, random: () => 1, protocolVersion: 4 }),
    );
    later(() => bus.close());
    let attempts = 0;
    for (const endMs = clock.now() + 3_600_000; clock.now() < endMs; attempts += 1) {
      // The timer for the next attempt starts only when the previous attempt has ended.
      await until(() => clock.timers === 1);
      assert.deepEqual([bus.status().connected, broker.open <= 1], [false, true]);
      assert.match(textOf(bus.status().reason), /no response from the MQTT server/);
      await assert.rejects(bus.publish('a', 'b', { qos: 1 }), { code: 'BROKER_DOWN' });
      clock.advance(30_000);
    }
    assert.equal(attempts, 120);
    assert.equal(log.events().filter((event) => event === 'broker.connection_lost').length, 1);
    isSilent = false;
    await until(() => {
      if (clock.timers > 0) clock.advance(30_000);
      return bus.status().connected;
    });
  }));

for (const [what, answers, send] of [
  ['messages', { puback: () => false }, (bus: MessageBus) => bus.publish('a', 'b', { qos: 1 })],
  ['subscriptions', { suback: () => false }, async (bus: MessageBus) => void bus.subscribe('a', () => {})],
  [
    'pings, messages and subscriptions',
    { puback: () => false, suback: () => false, pong: () => false },
    (bus: MessageBus) => bus.publish('a', 'b', { qos: 1 }),
  ],
] as const) {
  // Fault case 31
  test(`ends a connection to a broker that does not acknowledge ${what}`, () =>
    withCleanup(async (later) => {
      const broker = await rawBroker(answers);
      later(() => broker.close());
      // The clock is fake, so that the bus does not connect again.
      const bus = await openBus(broker.port, { clock: new FakeClock(), ackTimeoutMs: 50, random: () => 1 });
      later(() => bus.close());
      const sent = send(bus).then(
        () => '',
        ({ code }: { code: string }) => code,
      );
      const { reason } = await disconnected(bus);
      assert.match(textOf(reason), /stopped responding/);
      await until(() => broker.open === 0);
      assert.equal(await sent, what === 'subscriptions' ? '' : 'BROKER_DOWN');
    }));
}

test('keeps a connection to a broker that acknowledges each message before the time limit', () =>
  withCleanup(async (later) => {
    const broker = await rawBroker();
    later(() => broker.close());
    const bus = await openBus(broker.port, { clock: new FakeClock(), ackTimeoutMs: 10_000 });
    later(() => bus.close());
    for (let n = 0; n < 20; n += 1) await bus.publish('a', 'b', { qos: 1 });
    assert.deepEqual([bus.status().connected, broker.open], [true, 1]);
  }));

// Fault case 36
test('detects two clients with the same ID, and then allows only one of them to stay connected', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const log = new RecordingLog();
    const a = connectBus(busOptions(broker.port, { clientId: 'twin', log }));
    later(() => a.close());
    const b = connectBus(busOptions(broker.port, { clientId: 'twin' }));
    later(() => b.close());
    const reasons = [a, b].map(
      (bus) =>
        new Promise<string>((resolve) => {
          bus.onStatus(({ reason }) => textOf(reason).includes('same client ID') && resolve(textOf(reason)));
        }),
    );
    assert.match(await within(Promise.race(reasons), 'contested'), /another client seems to be using/);
    // One of the clients waits before it reconnects, so that the other stays connected.
    await within(
      new Promise<void>((resolve) => {
        for (const bus of [a, b]) {
          if (bus.status().connected) resolve();
          bus.onStatus((now) => now.connected && resolve());
        }
      }),
      'one stays connected',
    );
  }));

test('reports only the subscriptions that the broker has denied', () =>
  withCleanup(async (later) => {
    const broker = await openBroker({
      authorize: (_client, action, topic) => action === 'publish' || !topic.startsWith('secret/'),
    });
    later(() => broker.close());
    const log = new RecordingLog();
    const bus = connectBus(busOptions(broker.port, { log }));
    later(() => bus.close());
    for (const filter of ['secret/#', 'open/#', 'secret/+/a', 'open/a']) bus.subscribe(filter, () => {});
    await status(bus, 'refused', (now) => textOf(now.reason).includes('secret/+/a'));
    const [denied] = log.lines.filter(({ event }) => event === 'broker.subscription_rejected');
    assert.deepEqual(denied?.fields?.filters, ['secret/#', 'secret/+/a']);
  }));

// Fault case 38
test('reports a denied subscription in the status and rejects a denied publish', () =>
  withCleanup(async (later) => {
    const broker = await openBroker({
      authorize: (_client, action, topic) =>
        action === 'publish' ? topic !== 'secret' : topic !== 'secret/#',
    });
    later(() => broker.close());
    const log = new RecordingLog();
    const bus = await openBus(broker.port, { log });
    later(() => bus.close());
    bus.subscribe('secret/#', () => {});
    const { reason, connected: up } = await status(bus, 'refused', (now) =>
      textOf(now.reason).includes('secret/#'),
    );
    assert.ok(up);
    assert.match(textOf(reason), /this client is not allowed to subscribe to secret\/#/);
    // MQTT 3.1.1 cannot reject a publish, so the embedded broker closes the connection.
    await assert.rejects(
      bus.publish('secret', 'x', { qos: 0 }).then(() => echo(bus)),
      { code: 'BROKER_DOWN' },
    );
    assert.ok(log.events().includes('broker.connection_lost'));
  }));

test('a listener that throws does not affect the other listeners or the process', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const log = new RecordingLog();
    const bus = await openBus(broker.port, { log });
    later(() => bus.close());
    bus.subscribe('t', () => {
      throw new Error('broken listener');
    });
    const inbox = new Inbox(bus, 't');
    await bus.publish('t', 'x', { qos: 0 });
    await inbox.first('x');
    assert.ok(log.events().includes('broker.listener_failed'));
  }));

test('creates a last will when it connects, and does not publish it after an orderly disconnect', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    let made = 0;
    const will = () => ({ topic: 'will', payload: `will ${++made}` });
    const observer = await openBus(broker.port);
    later(() => observer.close());
    const inbox = new Inbox(observer, 'will');
    const polite = await openBus(broker.port, { will });
    await polite.close();
    await echo(observer);
    assert.deepEqual([made, inbox.messages.length], [1, 0]);
  }));

test('closing the bus aborts a connection attempt immediately', () =>
  withCleanup(async (later) => {
    const silent = await rawBroker({ connack: () => undefined });
    later(() => silent.close());
    const bus = connectBus(busOptions(silent.port, { connectTimeoutMs: 10 * GIVE_UP_MS }));
    await silent.first(({ type }) => type === 1);
    await within(bus.close(), 'close');
    assert.equal(bus.status().connected, false);
  }));

test('the connection test publishes and receives a message, or reports the fault', () =>
  withCleanup(async (later) => {
    const broker = await openBroker({
      authenticate: (_client, password) => password === 'right',
      authorize: (_client, action) => action === 'publish',
    });
    const open = await openBroker();
    later(() => Promise.all([broker.close(), open.close()]));
    const base = {
      host: '127.0.0.1',
      protocol: 'mqtt' as const,
      protocolVersion: 'auto' as const,
      clock: systemClock,
      log: new RecordingLog(),
    };
    const good = await testBroker({ ...base, port: open.port });
    assert.ok(good.ok && good.ms >= 0);
    const wrong = await testBroker({ ...base, port: broker.port, username: 'u', password: 'wrong-one' });
    assert.ok(
      !wrong.ok &&
        /username or password/.test(textOf(wrong.reason)) &&
        !textOf(wrong.reason).includes('wrong-one'),
    );
    const unsubscribed = await testBroker({ ...base, port: broker.port, username: 'u', password: 'right' });
    assert.ok(!unsubscribed.ok && /not allowed to subscribe/.test(textOf(unsubscribed.reason)));
  }));

/** A server that accepts MQTT connections and sends `bytes` after CONNACK. */
async function hostileServer(bytes: readonly number[]): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(Buffer.from([0x20, 2, 0, 0, ...bytes])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const HOSTILE: Record<string, number[]> = {
  'a message of 256 MB': [0x30, 0xff, 0xff, 0xff, 0x7f],
  'a message of 65 kB': [0x30, 0x81, 0x80, 0x04, ...Array<number>(100).fill(0x61)],
  'a subscription acknowledgement of 256 MB': [0x90, 0xff, 0xff, 0xff, 0x7f],
};
for (const [name, bytes] of Object.entries(HOSTILE)) {
  test(`closes a connection and reports the reason when the broker announces ${name}`, () =>
    withCleanup(async (later) => {
      const server = await hostileServer(bytes);
      later(() => server.close());
      const bus = connectBus(busOptions(server.port));
      later(() => bus.close());
      const { reason } = await status(bus, 'the reason', ({ reason }) => /over 64 kB/.test(textOf(reason)));
      assert.match(textOf(reason), /the MQTT server sent a packet over 64 kB/);
    }));

  test(`the connection test fails when the broker announces ${name}`, () =>
    withCleanup(async (later) => {
      const server = await hostileServer(bytes);
      later(() => server.close());
      const { port } = server;
      const result = await testBroker({
        host: '127.0.0.1',
        port,
        protocol: 'mqtt',
        protocolVersion: 4,
        clock: systemClock,
        log: new RecordingLog(),
      });
      assert.ok(!result.ok && /over 64 kB/.test(textOf(result.reason)));
    }));
}

test('delivers only the latest state when a broker sends several states at once', () =>
  withCleanup(async (later) => {
    const COUNT = 2000;
    const states = Array.from({ length: COUNT }, (_, nth) =>
      generate({
        cmd: 'publish',
        topic: '7/state',
        payload: String(nth),
        qos: 0,
        dup: false,
        retain: false,
      }),
    );
    const server = await hostileServer([...Buffer.concat(states)]);
    later(() => server.close());
    const bus = connectBus(busOptions(server.port));
    later(() => bus.close());
    const received: number[] = [];
    bus.subscribe('+/state', ({ payload }) => void received.push(Number(payload)), { newestOnly: true });
    await until(() => received.at(-1) === COUNT - 1);
    assert.ok(received.length < COUNT / 2, `${received.length} states were delivered`);
  }));

test.run();
