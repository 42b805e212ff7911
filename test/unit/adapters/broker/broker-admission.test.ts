import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { generate } from 'mqtt-packet';
import { suite } from 'uvu';
import type { EmbeddedBroker } from '../../../../src/adapters/broker/broker.js';
import { openBroker, withCleanup, within } from '../../carts/mqtt/test-bus.js';

const test = suite('unauthenticated connections to the broker');

type Later = (end: () => Promise<unknown>) => void;

async function dial(broker: EmbeddedBroker, later: Later): Promise<Socket> {
  const socket = connect(broker.port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  later(() => Promise.resolve(socket.destroy()));
  await once(socket, 'connect');
  return socket;
}

async function join(broker: EmbeddedBroker, later: Later, options: IClientOptions = {}): Promise<MqttClient> {
  const url = `mqtt://127.0.0.1:${broker.port}`;
  const client = await connectAsync(url, { reconnectPeriod: 0, ...options }, false);
  later(() => client.endAsync(true));
  return client;
}

const closed = (socket: Socket): Promise<void> =>
  within(new Promise((resolve) => socket.once('close', () => resolve())), 'the socket is closed');

test('closes a connection as soon as its header announces a CONNECT packet over 4 kB', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const socket = await dial(broker, later);
    const packet = generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      clean: true,
      keepalive: 0,
      clientId: 'x'.repeat(5000),
    });
    const end = closed(socket);
    socket.write(packet.subarray(0, 10));
    await end;
    assert.equal(broker.stats().tooLarge, 1);
    const client = await join(broker, later, { username: 'x'.repeat(1500), password: 'y'.repeat(1500) });
    await client.publishAsync('t', 'x'.repeat(8000), { qos: 1 });
  }));

test('drops only the oldest unauthenticated connection when the limit is exceeded', () =>
  withCleanup(async (later) => {
    const broker = await openBroker({ maxPending: 10 });
    later(() => broker.close());
    const clients: MqttClient[] = [];
    for (let more = 0; more < 12; more += 1) clients.push(await join(broker, later));
    const end = closed(await dial(broker, later));
    for (let more = 0; more < 10; more += 1) await dial(broker, later);
    await end;
    await Promise.all(clients.map((client) => client.publishAsync('t', 'here', { qos: 1 })));
  }));

test.run();
