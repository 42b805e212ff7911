import assert from 'node:assert/strict';
import { test } from 'uvu';
import { mayUse, mqttRights } from '../../../../src/access/mqtt/rights.js';
import { announceToHomeAssistant, discoveryOf } from '../../../../src/carts/mqtt/home-assistant.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { echo, Inbox, type Json, json, openBroker, openBus, withCleanup } from './test-bus.js';
import { identityOf, openFixture } from './test-fleet.js';

const TOPIC = 'homeassistant/device/cartwright_site1_2/config';

test('announces the cart to Home Assistant with a retained message, but only when enabled', () =>
  withCleanup(async (later) => {
    const { port, close } = await openBroker();
    later(close);
    const [bus, observer] = await Promise.all([openBus(port), openBus(port)]);
    later(() => Promise.all([bus.close(), observer.close()]));
    const inbox = new Inbox(observer, 'homeassistant/#');
    let isWanted = false;
    const announce = () => announceToHomeAssistant(deps);
    const deps = {
      bus,
      identity: identityOf(2),
      enabled: () => isWanted,
      version: '1',
      log: new RecordingLog(),
    };
    announce()();
    await echo(bus);
    await inbox.settled();
    assert.equal(inbox.messages.length, 0);
    isWanted = true;
    const end = announce();
    const { topic, payload } = await inbox.first('the device');
    end();
    assert.equal(topic, TOPIC);
    assert.equal(json({ topic, payload, retain: false }).device.name, 'Cart 2');
    const late = await openBus(port);
    later(() => late.close());
    const retained = await new Inbox(late, TOPIC).first('the retained device');
    assert.equal(retained.retain, true);
  }));

test('provides buttons that stop the cart, but none that move it or reset a latched stop', () =>
  withCleanup(async (later) => {
    const { dispatcher, send, inbox, bus } = await openFixture(later);
    const { config } = discoveryOf(identityOf(2), '1') as { config: Json };
    const buttons = Object.values<Json>(config.components).filter(({ platform }) => platform === 'button');
    assert.equal(buttons.length, 2);
    for (const { command_topic, payload_press } of buttons) {
      assert.equal(command_topic, 'cart/v1/site1/2/instantActions');
      await send('2/instantActions', payload_press, { qos: 1 });
      await send('2/instantActions', payload_press, { qos: 1 });
    }
    await inbox.json('the latch', (body) => body.safetyState?.activeEmergencyStop === 'REMOTE');
    await echo(bus);
    assert.deepEqual(
      dispatcher.stops.map(({ kind }) => kind),
      ['stop', 'stop', 'estop', 'estop'],
    );
    const topics = JSON.stringify(config).match(/"command_topic":"[^"]+"/g) ?? [];
    assert.equal(topics.length, buttons.length);
    assert.equal(/emergencyStopReset|"command"|distance/.test(JSON.stringify(config)), false);
  }));

test('the Home Assistant announcement refers only to values that are present in the state', () =>
  withCleanup(async (later) => {
    const { state } = await openFixture(later);
    const { config } = discoveryOf(identityOf(2), '1') as { config: Json };
    const used = [...JSON.stringify(config).matchAll(/value_json\.(\w+)/g)].map(([, member = '']) => member);
    assert.ok(used.length >= 5);
    // `connectionState` is read from the `connection` topic, and `velocity` is optional in the state.
    const known = new Set([...Object.keys(state), 'connectionState', 'velocity']);
    assert.deepEqual(
      used.filter((member) => !known.has(member)),
      [],
    );
  }));

test('a cart can announce only itself, and subscribing requires read access to all carts', () => {
  const rights = (...scopes: string[]) => mqttRights(['mqtt', ...scopes]) ?? assert.fail();
  const may = (scope: string, action: 'publish' | 'subscribe', topic: string): boolean =>
    mayUse(rights(scope), action, topic, 'cart/v1/site1');
  assert.equal(may('mqtt:cart:2', 'publish', TOPIC), true);
  assert.equal(may('mqtt:cart:3', 'publish', TOPIC), false);
  assert.equal(may('mqtt:control', 'publish', TOPIC), false);
  assert.equal(may('mqtt:cart:2', 'publish', TOPIC.replace('site1', 'site2')), false);
  assert.equal(may('mqtt:cart:2', 'publish', 'homeassistant/status'), false);
  assert.equal(may('mqtt:read', 'subscribe', 'homeassistant/#'), true);
  assert.equal(may('mqtt:cart:2', 'subscribe', 'homeassistant/#'), false);
});

test.run();
