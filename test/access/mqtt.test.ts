import assert from 'node:assert/strict';
import { connectAsync } from 'mqtt';
import { test } from 'uvu';
import { brokerDoor } from '../../src/access/mqtt.js';
import { mayUse, mqttRights } from '../../src/access/mqtt-rights.js';
import { startBroker } from '../../src/adapters/broker.js';
import { atSite } from './site.js';

const BASE = 'cart/v1/site1';

function judge(scopes: string[]) {
  const rights = mqttRights(scopes);
  return (action: 'publish' | 'subscribe', topic: string): boolean =>
    rights !== undefined && mayUse(rights, action, `${BASE}/${topic}`, BASE);
}

test('a cart says what it does and hears what it is told, and nothing of any other cart', () => {
  const may = judge(['mqtt', 'mqtt:cart:7']);
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

test('a controller commands every cart, and speaks for none', () => {
  const may = judge(['mqtt', 'mqtt:control']);
  assert.ok(may('publish', '8/command') && may('publish', '_all/instantActions'));
  assert.ok(may('subscribe', '+/state') && may('subscribe', '+/ack'));
  assert.ok(!may('publish', '8/state') && !may('publish', '+/command') && !may('subscribe', '#'));
});

test('a listener listens, and a key without the scope or beyond the fleet gets nothing', () => {
  const may = judge(['mqtt', 'mqtt:read']);
  assert.ok(may('subscribe', '+/state') && !may('subscribe', '+/command') && !may('publish', '7/state'));
  assert.equal(mqttRights(['mqtt:control']), undefined);
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
  'an open network needs no key, and ends where the own network ends',
  atSite(async ({ access }) => {
    const door = brokerDoor({ keys: access.keys, isOpen: true, base: () => BASE });
    const near = { username: '', address: '::ffff:192.168.1.20' };
    const far = { username: '', address: '203.0.113.7' };
    assert.equal(door.authenticate(near, ''), true);
    assert.equal(door.authorize(near, 'publish', `${BASE}/1/command`), true);
    assert.equal(door.authenticate(far, ''), false);
    assert.equal(door.authorize(far, 'publish', `${BASE}/1/command`), false);
  }),
);

test(
  'the broker lets in keys and this process, and a revoked key says and hears nothing more',
  atSite(async ({ access, log }) => {
    const door = brokerDoor({ keys: access.keys, isOpen: false, base: () => BASE });
    const broker = await startBroker({ host: '127.0.0.1', port: 0, log, ...door });
    const { key, keyId } = await access.keys.add({ name: 'cart-7', scopes: ['mqtt', 'mqtt:cart:7'] }, 'test');
    const connect = (username: string, password: string) =>
      connectAsync(
        `mqtt://127.0.0.1:${broker.port}`,
        { username, password, reconnectPeriod: 0, connectTimeout: 3000 },
        false,
      );
    try {
      const own = await connect(door.own.username, door.own.password);
      const heard: string[] = [];
      own.on('message', (topic) => heard.push(topic));
      await own.subscribeAsync(`${BASE}/#`);
      const cart = await connect('cart-7', key);
      await cart.publishAsync(`${BASE}/7/state`, '{}', { qos: 1 });
      const refused = await cart.subscribeAsync(`${BASE}/8/command`).catch((error: unknown) => error);
      assert.ok(refused instanceof Error || (Array.isArray(refused) && refused[0]?.qos === 128));
      const told: string[] = [];
      const ear = await connect('cart-7', key);
      ear.on('message', (topic) => told.push(topic));
      await ear.subscribeAsync(`${BASE}/7/command`);
      await own.publishAsync(`${BASE}/7/command`, '{}', { qos: 1 });
      await access.keys.revoke(keyId, 'test');
      const closed = new Promise<void>((resolve) => cart.once('close', () => resolve()));
      cart.publish(`${BASE}/7/ack`, '{}');
      await closed;
      const arrived = new Promise<void>((resolve) => own.once('message', () => resolve()));
      await own.publishAsync(`${BASE}/7/command`, '{}', { qos: 1 });
      await arrived;
      assert.deepEqual(heard, [`${BASE}/7/state`, `${BASE}/7/command`, `${BASE}/7/command`]);
      // Whatever was sent to it comes before the answer to this.
      await ear.subscribeAsync(`${BASE}/7/command`).catch(() => undefined);
      await ear.endAsync(true);
      assert.deepEqual(told, [`${BASE}/7/command`]);
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

test.run();
