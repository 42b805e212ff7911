import assert from 'node:assert/strict';
import { test } from 'uvu';
import {
  connected,
  disconnected,
  echo,
  Inbox,
  type Json,
  json,
  openBroker,
  openBus,
  withCleanup,
} from './test-bus.js';
import { openFixture, openTestCart } from './test-fleet.js';

const at = (name: string) => (_body: Json, topic: string) => topic.endsWith(`/2/${name}`);

test('publishes ONLINE and the factsheet as retained messages on connection, and then the state', () =>
  withCleanup(async (later) => {
    const { broker, state, identity } = await openFixture(later);
    const latecomer = await openBus(broker.port);
    later(() => latecomer.close());
    const retained = new Inbox(latecomer, 'cart/v1/site1/2/+');
    const online = await retained.json('connection', at('connection'));
    const factsheet = await retained.json('factsheet', at('factsheet'));
    assert.deepEqual([online.connectionState, online.cartID, online.gatewayId], ['ONLINE', 2, 'gw-2']);
    assert.deepEqual([factsheet.simulated, factsheet.limits.maxDistanceMm], [true, 10_000]);
    assert.ok(retained.messages.every(({ retain }) => retain));
    assert.equal(state.sessionId, identity.sessionId);
  }));

test('publishes the VDA 5050 fields and marks a simulated cart in the state and the factsheet', () =>
  withCleanup(async (later) => {
    const { state, inbox } = await openFixture(later);
    const fields = [
      'orderId orderUpdateId lastNodeId lastNodeSequenceId nodeStates edgeStates driving paused operatingMode',
      'actionStates instantActionStates powerSupply velocity safetyState errors information headerId timestamp',
      'version manufacturer serialNumber',
    ];
    for (const field of fields.join(' ').split(' ')) assert.ok(field in state, field);
    assert.deepEqual(state.safetyState, { activeEmergencyStop: 'NONE', fieldViolation: false });
    assert.equal(state.x.simulated, true);
    assert.equal(state.information[0].infoType, 'SIMULATED');
    assert.equal((await inbox.json('factsheet', at('factsheet'))).simulated, true);
  }));

test('publishes the state every second and after each change, but never twice within 200 ms', () =>
  withCleanup(async (later) => {
    const { inbox, clock, dispatcher, observer, bus } = await openFixture(later);
    const count = async () => {
      await echo(bus);
      await echo(observer);
      return inbox.messages.filter(({ topic }) => topic.endsWith('/2/state')).length;
    };
    const before = await count();
    clock.advance(3000);
    assert.equal((await count()) - before, 3);
    clock.advance(500);
    for (let i = 0; i < 10; i++) dispatcher.change({ moving: i % 2 === 0 });
    assert.equal((await count()) - before, 4);
    clock.advance(199);
    assert.equal((await count()) - before, 4);
    clock.advance(1);
    assert.equal((await count()) - before, 5);
  }));

test('publishes the visualization topic only during motion, at most five times per second', () =>
  withCleanup(async (later) => {
    const { inbox, clock, dispatcher, observer, bus } = await openFixture(later);
    const pose = (xMm: number, moving: boolean) =>
      dispatcher.change({ moving, pose: { xMm, yMm: 0, headingDeg: 90 } });
    for (let i = 0; i < 5; i++) {
      pose(i, false);
      clock.advance(100);
    }
    for (let i = 0; i < 20; i++) {
      pose(100 + i, true);
      clock.advance(50);
    }
    await echo(bus);
    await echo(observer);
    const seen = inbox.messages.filter(({ topic }) => topic.endsWith('/visualization')).map(json);
    assert.equal(seen.length, 5);
    assert.deepEqual(seen[0].mobileRobotPosition, {
      x: 0.1,
      y: 0,
      theta: 1.5708,
      mapId: '',
      localized: false,
    });
  }));

test('repeats ONLINE every 30 s and publishes OFFLINE on close', () =>
  withCleanup(async (later) => {
    const { inbox, clock, agent, bus, observer } = await openFixture(later);
    const states = () =>
      inbox.messages.filter(({ topic }) => topic.endsWith('/connection')).map((m) => json(m).connectionState);
    clock.advance(30_000);
    await echo(bus);
    await echo(observer);
    assert.deepEqual(states(), ['ONLINE', 'ONLINE']);
    await agent.close();
    await inbox.json('offline', (body) => body?.connectionState === 'OFFLINE');
    assert.equal(clock.timers, 0);
  }));

// Fault case 35
test('the broker publishes a retained CONNECTION_BROKEN when the gateway crashes', () =>
  withCleanup(async (later) => {
    // When the gateway publishes to `poison`, the broker closes the connection. The gateway has sent no
    // DISCONNECT, so the closure counts as a connection loss.
    const broker = await openBroker({ authorize: (_client, _action, topic) => topic !== 'poison' });
    later(() => broker.close());
    const observer = await openBus(broker.port);
    later(() => observer.close());
    const { bus } = await openTestCart(broker.port, later, 2, { random: () => 1 });
    await bus.publish('poison', '', { qos: 0 });
    await disconnected(bus);
    const inbox = new Inbox(observer, 'cart/v1/site1/2/connection');
    const will = await inbox.json('last will', (body) => body.connectionState === 'CONNECTION_BROKEN');
    assert.deepEqual([will.cartID, will.headerId], [2, 0]);
    // The cart is ONLINE again after it reconnects.
    await connected(bus);
    await inbox.first('online', (message) => json(message).connectionState === 'ONLINE' && !message.retain);
  }));

// Fault case 29
test('drops messages without reporting an error while the broker is down', () =>
  withCleanup(async (later) => {
    const { broker, clock, dispatcher, bus, agent } = await openFixture(later);
    await broker.close();
    await disconnected(bus);
    clock.advance(10_000);
    dispatcher.change({ moving: true });
    const again = await openBroker({ port: broker.port });
    later(() => again.close());
    const observer = await openBus(broker.port);
    later(() => observer.close());
    const inbox = new Inbox(observer, 'cart/v1/site1/2/state');
    await echo(observer);
    await connected(bus);
    await echo(bus);
    const first = await inbox.json('state');
    assert.equal(first.driving, true);
    await inbox.settled();
    assert.equal(inbox.messages.length, 1);
    await agent.close();
  }));

test.run();
