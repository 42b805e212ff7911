import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';
import type { MessageBus } from '../../../src/shared/ports/mqtt.js';
import { echo, Inbox, openBus, withCleanup, within } from '../../unit/carts/mqtt/test-bus.js';
import { hasMosquitto, startMosquitto } from './mosquitto.js';

/** Tests the configuration files in docs/brokers with a real mosquitto broker. */
const test = suite('broker configurations for a fleet');

const read = (name: string): string => readFileSync(join(packageRoot(), 'docs/brokers', name), 'utf8');
const PREFIX = 'cart/v1/site1';
const USERS = ['7', '8', 'gateway-1', 'viewer'];

/**
 * Resolves to true if the client is allowed to publish to the topic. Requires MQTT 5, which reports a
 * forbidden publish.
 */
async function mayPublish(bus: MessageBus, topic: string): Promise<boolean> {
  try {
    await bus.publish(`${PREFIX}/${topic}`, '{}', { qos: 1 });
    return true;
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'BROKER_FORBIDS', topic);
    return false;
  }
}

/** Resolves to true if the client receives an authorised client's message on the topic. */
async function receives(bus: MessageBus, root: MessageBus, topic: string): Promise<boolean> {
  const inbox = new Inbox(bus, `${PREFIX}/${topic}`);
  // The broker processes subscriptions in order, so a message for this subscription shows that the previous
  // one is active.
  const sync = new Inbox(bus, `test/${topic}`);
  await root.publish(`test/${topic}`, 'there', { qos: 1, retain: true });
  await sync.first('both subscriptions');
  await root.publish(`${PREFIX}/${topic}`, '{}', { qos: 1 });
  await root.publish(`test/${topic}`, 'then', { qos: 1 });
  await sync.first('the message after it', ({ payload }) => payload.toString() === 'then');
  return inbox.messages.length > 0;
}

test('the access rules limit the topics that a cart, a gateway and a viewer can use', () =>
  withCleanup(async (later) => {
    // The test connects as `root`. All users have access to the topics under `test`.
    const acl = `${read('mosquitto.acl')}\nuser root\ntopic readwrite #\npattern readwrite test/#\n`;
    const passwd = [...USERS, 'root'].map((user) => `${user}:secret\n`).join('');
    const lines = ['allow_anonymous false', 'password_file DIR/passwd', 'acl_file DIR/acl'];
    const mosquitto = await startMosquitto(lines, { acl, passwd });
    later(() => mosquitto.close());
    const login = async (username: string): Promise<MessageBus> => {
      const bus = await openBus(mosquitto.port, { protocolVersion: 5, username, password: 'secret' });
      later(() => bus.close());
      return bus;
    };
    const [cart, other, gateway, viewer] = await Promise.all(USERS.map(login));
    const root = await login('root');
    assert.ok(cart && other && gateway && viewer);
    for (const topic of ['7/state', '7/ack', '7/connection', '7/factsheet', '7/visualization', '7/sightings'])
      assert.equal(await mayPublish(cart, topic), true, topic);
    for (const topic of [
      '8/state',
      '7/command',
      '8/command',
      '_all/instantActions',
      '7/position',
      '8/heartbeat',
      'site/plan',
    ])
      assert.equal(await mayPublish(cart, topic), false, topic);
    for (const topic of [
      '7/command',
      '8/instantActions',
      '_all/instantActions',
      '1/state',
      '7/position',
      '8/heartbeat',
      'site/plan',
    ])
      assert.equal(await mayPublish(gateway, topic), true, topic);
    assert.equal(await mayPublish(gateway, '7/state'), false);
    for (const topic of ['7/command', '1/state', '_all/instantActions'])
      assert.equal(await mayPublish(viewer, topic), false, topic);
    assert.equal(await receives(cart, root, '7/command'), true);
    assert.equal(await receives(cart, root, '_all/instantActions'), true);
    assert.equal(await receives(cart, root, '7/heartbeat'), true);
    assert.equal(await receives(cart, root, 'site/plan'), true);
    assert.equal(await receives(other, root, '7/command'), false);
    assert.equal(await receives(gateway, root, '8/state'), true);
    assert.equal(await receives(viewer, root, '8/state'), true);
    assert.equal(await receives(viewer, root, '8/command'), false);
  }));

test('a bridge forwards each message once and drops commands sent while it is disconnected', () =>
  withCleanup(async (later) => {
    const above = await startMosquitto();
    later(() => above.close());
    const bridge = read('mosquitto-bridge.conf')
      .replace(/^address .*/m, `address 127.0.0.1:${above.port}`)
      .replace(/^(bridge_cafile|remote_).*\n/gm, '');
    const below = await startMosquitto(['allow_anonymous true', bridge]);
    later(() => below.close());
    const [high, low] = await Promise.all([openBus(above.port), openBus(below.port)]);
    later(() => Promise.all([high.close(), low.close()]));
    const up = new Inbox(high, `${PREFIX}/#`);
    const down = new Inbox(low, `${PREFIX}/#`);
    await Promise.all([echo(high), echo(low)]);
    await untilBridged(high, down);
    await low.publish(`${PREFIX}/7/state`, 'state', { qos: 0 });
    await up.first('the state above', ({ payload }) => payload.toString() === 'state');
    await high.publish(`${PREFIX}/7/command`, 'command', { qos: 0 });
    await down.first('the command below', ({ payload }) => payload.toString() === 'command');
    await Promise.all([up.settled(), down.settled()]);
    for (const [inbox, text] of [
      [up, 'state'],
      [down, 'state'],
      [up, 'command'],
      [down, 'command'],
    ] as const) {
      const times = inbox.messages.filter(({ payload }) => payload.toString() === text).length;
      assert.equal(times, 1, `${text} is duplicated`);
    }

    await below.kill();
    for (const qos of [0, 1] as const) await high.publish(`${PREFIX}/7/command`, 'stale', { qos });
    await below.start();
    const again = await openBus(below.port);
    later(() => again.close());
    const after = new Inbox(again, `${PREFIX}/#`);
    await echo(again);
    await untilBridged(high, after);
    assert.equal(after.messages.filter(({ payload }) => payload.toString() === 'stale').length, 0);
  }));

/**
 * Publishes to the upper broker until the lower broker receives a message, because a bridge does not report
 * when it is connected.
 */
async function untilBridged(high: MessageBus, below: Inbox): Promise<void> {
  const isReceived = (): boolean => below.messages.some(({ topic }) => topic.endsWith('/9/position'));
  const publishUntilReceived = async (): Promise<void> => {
    while (!isReceived()) {
      await high.publish(`${PREFIX}/9/position`, '{}', { qos: 1 });
      await below.settled();
    }
  };
  await within(publishUntilReceived(), 'the bridge is connected');
}

test('rabbitmq-rights.sh sets the documented permissions', () => {
  const run = (...args: string[]): string[] => {
    const env = { ...process.env, RABBITMQCTL: 'echo' };
    const { stdout, status } = spawnSync(join(packageRoot(), 'docs/brokers/rabbitmq-rights.sh'), args, {
      env,
    });
    assert.equal(status, 0);
    return stdout.toString().trim().split('\n');
  };
  const topicsOf = (lines: string[]): { write: RegExp; read: RegExp } => {
    const [write = '', read = ''] = (lines.at(-1) ?? '').split(' ').slice(-2);
    return { write: new RegExp(write), read: new RegExp(read) };
  };
  const cart = topicsOf(run('cart', '7', 'secret'));
  assert.ok(cart.write.test('cart.v1.site1.7.state') && cart.read.test('cart.v1.site1._all.instantActions'));
  for (const topic of ['8.state', '7.command', '77.state', '_all.instantActions', 'site.plan'])
    assert.equal(cart.write.test(`cart.v1.site1.${topic}`), false, topic);
  for (const topic of ['8.command', '*.state', '#'])
    assert.equal(cart.read.test(`cart.v1.site1.${topic}`), false);
  const gateway = topicsOf(run('gateway', '1', 'secret'));
  assert.ok(cart.read.test('cart.v1.site1.site.plan') && gateway.write.test('cart.v1.site1.site.plan'));
  assert.ok(gateway.write.test('cart.v1.site1.7.command') && gateway.read.test('cart.v1.site1.*.state'));
  assert.equal(gateway.write.test('cart.v1.site1.7.state'), false);
});

if (hasMosquitto) test.run();
else process.stdout.write('SKIPPED: brokers of a fleet (mosquitto is not installed)\n');
