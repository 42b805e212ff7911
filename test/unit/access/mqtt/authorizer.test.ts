import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connectAsync, type MqttClient } from 'mqtt';
import { test } from 'uvu';
import type { Access } from '../../../../src/access/access.js';
import { createBrokerAuthorizer } from '../../../../src/access/mqtt/authorizer.js';
import { mayUse, mqttRights } from '../../../../src/access/mqtt/rights.js';
import { type EmbeddedBroker, startBroker } from '../../../../src/adapters/broker/broker.js';
import { connectBus, testBroker } from '../../../../src/adapters/mqtt/mqtt.js';
import { userActor } from '../../../../src/shared/actor.js';
import type { Log } from '../../../../src/shared/ports/log.js';
import type { BusMessage } from '../../../../src/shared/ports/mqtt.js';
import { withTestApp } from '../test-app.js';

const BASE = 'cart/v1/site1';

function rightsOf(scopes: string[]) {
  const rights = mqttRights(scopes);
  return (action: 'publish' | 'subscribe', topic: string): boolean =>
    rights !== undefined && mayUse(rights, action, `${BASE}/${topic}`, BASE);
}

test("a cart key permits publishing and subscribing only to that cart's topics", () => {
  const may = rightsOf(['mqtt', 'mqtt:cart:7']);
  for (const name of ['state', 'ack', 'connection', 'factsheet', 'visualization']) {
    assert.ok(may('publish', `7/${name}`), name);
    assert.ok(!may('publish', `8/${name}`), name);
    assert.ok(!may('publish', `_all/${name}`), name);
  }
  for (const topic of ['7/command', '7/instantActions', '_all/instantActions']) {
    assert.ok(may('subscribe', topic), topic);
    assert.ok(!may('publish', topic), topic);
  }
  for (const topic of ['8/command', '+/command', '+/state', '#', '7/#', '+/+', '+/#']) {
    assert.ok(!may('subscribe', topic), topic);
  }
});

test("every MQTT key gives access to the topic of another gateway's connection test, but not to similar topics", () => {
  const rights = mqttRights(['mqtt']);
  assert.ok(rights);
  const may = (topic: string): boolean[] =>
    (['publish', 'subscribe'] as const).map((action) => mayUse(rights, action, topic, BASE));
  assert.deepEqual(may(`cartwright-test/${randomUUID()}`), [true, true]);
  const id = randomUUID();
  for (const topic of [
    'cartwright-test/#',
    'cartwright-test/+',
    `cartwright-test/${id}/7`,
    `x/cartwright-test/${id}`,
  ])
    assert.deepEqual(may(topic), [false, false], topic);
});

test('a control key permits publishing commands to every cart, but not publishing reports', () => {
  const may = rightsOf(['mqtt', 'mqtt:control']);
  assert.ok(may('publish', '8/command') && may('publish', '_all/instantActions'));
  assert.ok(may('subscribe', '+/state') && may('subscribe', '+/ack'));
  assert.ok(!may('publish', '8/state') && !may('publish', '+/command') && !may('subscribe', '#'));
});

test("a gateway key can publish heartbeats, and a cart key can subscribe to that cart's heartbeat", () => {
  const gateway = rightsOf(['mqtt', 'mqtt:control', 'mqtt:cart:7']);
  assert.ok(gateway('publish', '8/heartbeat') && !gateway('publish', '_all/heartbeat'));
  for (const scopes of [['mqtt:control'], ['mqtt:cart:8'], ['mqtt:read'], ['mqtt:read', 'mqtt:control']])
    assert.ok(!rightsOf(['mqtt', ...scopes])('publish', '8/heartbeat'), scopes.join());
  const cart = rightsOf(['mqtt', 'mqtt:cart:8']);
  assert.ok(cart('subscribe', '8/heartbeat') && !cart('subscribe', '7/heartbeat'));
  assert.ok(!rightsOf(['mqtt', 'mqtt:read'])('subscribe', '+/heartbeat'));
});

test('only a gateway key can publish a site plan; cart and read keys can subscribe to it', () => {
  assert.ok(rightsOf(['mqtt', 'mqtt:control', 'mqtt:cart:7'])('publish', 'site/plan'));
  for (const scopes of [['mqtt:control'], ['mqtt:cart:8'], ['mqtt:read'], ['mqtt:read', 'mqtt:control']])
    assert.ok(!rightsOf(['mqtt', ...scopes])('publish', 'site/plan'), scopes.join());
  for (const scope of ['mqtt:control', 'mqtt:cart:8', 'mqtt:read'])
    assert.ok(rightsOf(['mqtt', scope])('subscribe', 'site/plan'), scope);
  assert.ok(!rightsOf(['mqtt', 'mqtt:control', 'mqtt:cart:7'])('publish', 'site/state'));
});

test('a read key permits only subscriptions to reports', () => {
  const may = rightsOf(['mqtt', 'mqtt:read']);
  assert.ok(may('subscribe', '+/state') && !may('subscribe', '+/command') && !may('publish', '7/state'));
});

test('a key without the mqtt scope does not give access to the broker', () => {
  assert.equal(mqttRights(['mqtt:control']), undefined);
});

test("no key permits access to another fleet's topics", () => {
  const rights = mqttRights(['mqtt', 'mqtt:control', 'mqtt:cart:7']);
  assert.ok(rights);
  for (const topic of [
    'cart/v1/site2/7/command',
    '$SYS/broker',
    'cart/v1/site1',
    '#',
    '+/v1/site1/7/state',
  ]) {
    assert.ok(!mayUse(rights, 'subscribe', topic, BASE), topic);
  }
});

test(
  'an open network requires a key only from addresses outside the local network',
  withTestApp(async ({ access }) => {
    const authorizer = createBrokerAuthorizer({ keys: access.keys, isOpen: true, base: () => BASE });
    const near = { username: '', address: '::ffff:192.168.1.20' };
    const far = { username: '', address: '203.0.113.7' };
    assert.equal(authorizer.authenticate(near, ''), true);
    assert.equal(authorizer.authorize(near, 'publish', `${BASE}/1/command`), true);
    assert.equal(authorizer.authenticate(far, ''), false);
    assert.equal(authorizer.authorize(far, 'publish', `${BASE}/1/command`), false);
  }),
);

test(
  'the broker accepts valid keys and the gateway process, and blocks the traffic of a revoked key',
  withTestApp(async ({ access, log }) => {
    const authorizer = createBrokerAuthorizer({ keys: access.keys, isOpen: false, base: () => BASE });
    const broker = await startBroker({ host: '127.0.0.1', port: 0, log, ...authorizer });
    const { key, keyId } = await access.keys.add(
      { name: 'cart-7', scopes: ['mqtt', 'mqtt:cart:7'] },
      userActor('test'),
    );
    const connect = (username: string, password: string) =>
      connectAsync(
        `mqtt://127.0.0.1:${broker.port}`,
        { username, password, reconnectPeriod: 0, connectTimeout: 3000 },
        false,
      );
    try {
      const own = await connect(authorizer.own.username, authorizer.own.password);
      const received: string[] = [];
      own.on('message', (topic) => received.push(topic));
      await own.subscribeAsync(`${BASE}/#`);
      const cart = await connect('cart-7', key);
      await cart.publishAsync(`${BASE}/7/state`, '{}', { qos: 1 });
      const refused = await cart.subscribeAsync(`${BASE}/8/command`).catch((error: unknown) => error);
      assert.ok(refused instanceof Error || (Array.isArray(refused) && refused[0]?.qos === 128));
      const commands: string[] = [];
      const subscriber = await connect('cart-7', key);
      subscriber.on('message', (topic) => commands.push(topic));
      await subscriber.subscribeAsync(`${BASE}/7/command`);
      await own.publishAsync(`${BASE}/7/command`, '{}', { qos: 1 });
      await access.keys.revoke(keyId, userActor('test'));
      const closed = new Promise<void>((resolve) => cart.once('close', () => resolve()));
      cart.publish(`${BASE}/7/ack`, '{}');
      await closed;
      const arrived = new Promise<void>((resolve) => own.once('message', () => resolve()));
      await own.publishAsync(`${BASE}/7/command`, '{}', { qos: 1 });
      await arrived;
      assert.deepEqual(received, [`${BASE}/7/state`, `${BASE}/7/command`, `${BASE}/7/command`]);
      // All messages sent earlier to this client arrive before the response to this subscription.
      await subscriber.subscribeAsync(`${BASE}/7/command`).catch(() => undefined);
      await subscriber.endAsync(true);
      assert.deepEqual(commands, [`${BASE}/7/command`]);
      for (const [name, password] of [
        ['cart-7', key],
        ['cart-8', key],
        ['gateway', 'guess'],
        ['', ''],
      ] as const) {
        await assert.rejects(connect(name, password), name);
      }
      await Promise.all([own.endAsync(true), cart.endAsync(true)]);
    } finally {
      await broker.close();
    }
  }),
);

async function withBroker(
  access: Access,
  log: Log,
  run: (context: {
    broker: EmbeddedBroker;
    join: (name: string, clientId: string) => Promise<MqttClient>;
    revoke: (name: string) => Promise<void>;
  }) => Promise<void>,
  keys: Record<string, string[]>,
  isOpen = false,
): Promise<void> {
  const authorizer = createBrokerAuthorizer({ keys: access.keys, isOpen, base: () => BASE });
  const broker = await startBroker({ host: '127.0.0.1', port: 0, log, ...authorizer });
  const made = new Map<string, { key: string; keyId: number }>();
  for (const [name, scopes] of Object.entries(keys)) {
    made.set(name, await access.keys.add({ name, scopes }, userActor('test')));
  }
  const clients: MqttClient[] = [];
  try {
    await run({
      broker,
      async join(username, clientId) {
        const password = made.get(username)?.key ?? '';
        const options = { username, password, clientId, reconnectPeriod: 0, connectTimeout: 3000 };
        const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, options, false);
        clients.push(client);
        return client;
      },
      revoke: (name) => access.keys.revoke(made.get(name)?.keyId ?? 0, userActor('test')),
    });
  } finally {
    await Promise.all(clients.map((client) => client.endAsync(true)));
    await broker.close();
  }
}

test(
  "another gateway's connection test succeeds with a key that has only the mqtt scope",
  withTestApp(async ({ access, log, clock }) => {
    const { key } = await access.keys.add({ name: 'hall', scopes: ['mqtt'] }, userActor('test'));
    const authorizer = createBrokerAuthorizer({ keys: access.keys, isOpen: false, base: () => BASE });
    const broker = await startBroker({ host: '127.0.0.1', port: 0, log, ...authorizer });
    try {
      const result = await testBroker({
        host: '127.0.0.1',
        port: broker.port,
        protocol: 'mqtt',
        protocolVersion: 'auto',
        username: 'hall',
        password: key,
        keepaliveS: 30,
        tls: { ca: '', cert: '', key: '', servername: '', rejectUnauthorized: true },
        clock,
        log,
      });
      assert.equal(result.ok, true, JSON.stringify(result));
    } finally {
      await broker.close();
    }
  }),
);

const CART = ['mqtt', 'mqtt:cart:7'];
const closed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()));

test(
  "a cart's client ID is reserved for keys with that cart's scope, even while the cart is not connected",
  withTestApp(({ access, log }) => {
    const keys = { stranger: ['mqtt'], other: ['mqtt', 'mqtt:cart:8', 'mqtt:control'], seven: CART };
    return withBroker(
      access,
      log,
      async ({ join }) => {
        for (const name of ['stranger', 'other']) await assert.rejects(join(name, 'cart-site1-7'));
        const cart = await join('seven', 'cart-site1-7');
        for (const name of ['stranger', 'other']) await assert.rejects(join(name, 'cart-site1-7'));
        assert.equal(cart.connected, true);
        // Both client IDs are accepted: the first belongs to a different fleet, and the second is not
        // reserved.
        await join('stranger', 'cart-site2-7');
        await join('stranger', 'cart-site1-07');
      },
      keys,
    );
  }),
);

test(
  'a cart takes over its client ID from a client whose key has been revoked',
  withTestApp(({ access, log }) =>
    withBroker(
      access,
      log,
      async ({ join, revoke }) => {
        const old = await join('old', 'cart-site1-7');
        await assert.rejects(join('seven', 'cart-site1-7'));
        await revoke('old');
        const ended = closed(old);
        await join('seven', 'cart-site1-7');
        await ended;
      },
      { old: CART, seven: CART },
    ),
  ),
);

test(
  'a cart with a key takes over its client ID from a client without a key on an open network',
  withTestApp(({ access, log }) =>
    withBroker(
      access,
      log,
      async ({ join }) => {
        const stranger = await join('stranger', 'cart-site1-7');
        const ended = closed(stranger);
        const cart = await join('seven', 'cart-site1-7');
        await ended;
        await assert.rejects(join('stranger', 'cart-site1-7'));
        assert.equal(cart.connected, true);
      },
      { seven: CART },
      true,
    ),
  ),
);

test(
  "sets a command's origin to the publishing key, and only a gateway key can specify the user",
  withTestApp(({ access, log, clock }) =>
    withBroker(
      access,
      log,
      async ({ broker, join, revoke }) => {
        const bus = connectBus(
          {
            host: '',
            port: 1,
            protocol: 'mqtt',
            protocolVersion: 4,
            clientId: 'own',
            embedded: true,
            clock,
            log,
          },
          broker.dial,
        );
        const received: BusMessage[] = [];
        let arrived = (): void => undefined;
        bus.subscribe(`${BASE}/+/command`, (message) => {
          received.push(message);
          arrived();
        });
        const forged = {
          gatewayId: 'gw-1',
          origin: { gatewayId: 'gw-1', source: 'http', principal: 'anna' },
        };
        const send = async (client: MqttClient | typeof bus, text: string): Promise<BusMessage> => {
          const next = new Promise<void>((resolve) => {
            arrived = resolve;
          });
          if ('publishAsync' in client) await client.publishAsync(`${BASE}/1/command`, text, { qos: 1 });
          else await client.publish(`${BASE}/1/command`, text, { qos: 0 });
          await next;
          const message = received.at(-1);
          assert.ok(message);
          return message;
        };
        const receivedFrom = async (client: MqttClient | typeof bus) =>
          JSON.parse((await send(client, JSON.stringify(forged))).payload.toString());
        const hall = await join('hall', 'hall');
        assert.deepEqual(await receivedFrom(hall), {
          gatewayId: 'gw-1',
          origin: { gatewayId: 'hall', source: 'http', principal: 'key hall' },
        });
        const gateway = await join('gateway', 'cart-site1-7');
        const { origin } = await receivedFrom(gateway);
        assert.deepEqual([origin.gatewayId, origin.principal], ['gateway', 'anna']);
        assert.deepEqual(await receivedFrom(bus), forged, 'messages of this process are not changed');
        const broken = await send(hall, '{"origin":');
        assert.equal(broken.payload.toString(), '{"origin":');
        assert.equal(broken.sender?.isGood(), true);
        await revoke('hall');
        assert.equal(broken.sender?.isGood(), false);
        await bus.close();
      },
      { hall: ['mqtt', 'mqtt:control'], gateway: [...CART, 'mqtt:control'] },
    ),
  ),
);

test.run();
