import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import { MqttAgent } from '../../../../src/carts/mqtt/agent.js';
import { discoveryOf } from '../../../../src/carts/mqtt/home-assistant.js';
import { settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { MemoryBroker } from '../../../helpers/memory-bus.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { ROUNDS, StopFuzzer } from '../../../helpers/stop-fuzzer.js';
import { FakeDispatcher } from './fake-dispatcher.js';
import { type Json, json } from './test-bus.js';
import { actionMessage, commandMessage, identityOf, KINEMATICS, LIMITS } from './test-fleet.js';

/** Cart 2 on an in-memory broker, with everything that it publishes. */
function openCart() {
  const broker = new MemoryBroker();
  const bus = broker.client();
  const clock = new FakeClock();
  const log = new RecordingLog();
  const dispatcher = new FakeDispatcher(clock);
  const identity = identityOf(2);
  const agent = new MqttAgent({
    bus,
    dispatcher,
    identity,
    clock,
    log,
    factsheet: () => ({}),
    rules: () => ({ limits: LIMITS, kinematics: KINEMATICS }),
  });
  const published: { topic: string; body: Json }[] = [];
  for (const name of ['ack', 'state']) {
    bus.subscribe(`cart/v1/site1/2/${name}`, (message) => {
      published.push({ topic: message.topic, body: json(message) });
    });
  }
  agent.start();
  const send = async (topic: string, message: unknown) => {
    const payload = typeof message === 'string' ? message : JSON.stringify(message);
    await bus.publish(`cart/v1/site1/${topic}`, payload, { qos: 1 });
    await settle();
  };
  const acks = () => published.filter(({ topic }) => topic.endsWith('/ack')).map(({ body }) => body);
  const errors = async (): Promise<Json[]> => {
    clock.advance(1000);
    await settle();
    return published.findLast(({ topic }) => topic.endsWith('/state'))?.body.errors ?? [];
  };
  return { dispatcher, log, send, acks, errors, identity, close: () => agent.close() };
}

const kinds = ({ dispatcher }: ReturnType<typeof openCart>) => dispatcher.stops.map(({ kind }) => kind);
const state = { sessionId: 'session', headerId: 1 };

for (const [what, change] of [
  ['a sender name of 68 characters', { origin: { gatewayId: 'gw-9', principal: `key ${'n'.repeat(64)}` } }],
  ['a gateway ID of 65 characters', { gatewayId: 'g'.repeat(65) }],
  ['a session ID that is a number', { sessionId: 7 }],
  ['no header', { headerId: undefined, gatewayId: undefined, sessionId: undefined }],
  ['a field that no schema allows', { constructor: { prototype: 1 } }],
  ['a text of 60,000 characters', { origin: { gatewayId: 'gw-9', principal: 'n'.repeat(60_000) } }],
] as const) {
  // Fault case 66
  test(`executes a latching stop with ${what}, responds to it and reports the fault`, async () => {
    const cart = openCart();
    const stop = { ...actionMessage('emergencyStop'), ...change };
    await cart.send('_all/instantActions', stop);
    assert.deepEqual(kinds(cart), ['estop']);
    const [ack] = cart.acks();
    assert.deepEqual([ack.commandId, ack.state], [stop.actions[0]?.actionId, 'FINISHED']);
    const [error] = await cart.errors();
    assert.equal(error.errorType, 'VALIDATION_FAILURE');
    assert.match(error.errorDescription, /^the stop was executed, but /);
    assert.equal(cart.log.lines.filter(({ event }) => event === 'mqtt.invalid_stop_executed').length, 1);
    await cart.close();
  });
}

test('executes a stop whose action has an invalid ID or invalid parameters', async () => {
  const cart = openCart();
  const [valid] = actionMessage('haltCat1').actions;
  for (const action of [
    { ...valid, actionId: 'i'.repeat(65) },
    { ...valid, actionId: null },
    { ...valid, actionParameters: 'none' },
    { ...valid, actionParameters: [null, { key: 5 }, { value: 1 }] },
  ])
    await cart.send('2/instantActions', { ...actionMessage('haltCat1'), actions: [action] });
  assert.deepEqual(kinds(cart), ['halt', 'halt', 'halt', 'halt']);
  assert.ok(cart.acks().every(({ commandId, state: end }) => commandId.length <= 64 && end === 'FINISHED'));
  await cart.close();
});

test('treats a cancellation that refers to something other than an order as a stop', async () => {
  const cart = openCart();
  for (const orderId of [7, null, '', 'o'.repeat(300)])
    await cart.send('2/instantActions', actionMessage('cancelOrder', { orderId }));
  assert.deepEqual(kinds(cart), ['stop', 'stop', 'stop', 'stop']);
  await cart.close();
});

test('executes only the stops in an invalid message, latching stops first', async () => {
  const cart = openCart();
  const actions = ['stateRequest', 'cancelOrder', 'emergencyStopReset', 'emergencyStop', 'toString'].map(
    (type) => actionMessage(type).actions[0],
  );
  await cart.send('2/instantActions', { ...actionMessage('cancelOrder'), gatewayId: 5, actions });
  assert.deepEqual(kinds(cart), ['estop', 'stop']);
  assert.equal(cart.dispatcher.resets.length, 0);
  await cart.close();
});

test('rejects an invalid message without a stop, and a message that is not JSON', async () => {
  const cart = openCart();
  const reset = actionMessage('emergencyStopReset', { basis: {} });
  await cart.send('2/instantActions', { ...reset, gatewayId: 5 });
  await cart.send('2/instantActions', JSON.stringify(actionMessage('emergencyStop')).slice(0, -2));
  await cart.send('2/command', { ...commandMessage(state), gatewayId: 5 });
  assert.deepEqual([kinds(cart), cart.dispatcher.begun.length, cart.dispatcher.resets.length], [[], 0, 0]);
  assert.equal(cart.log.lines.filter(({ event }) => event === 'mqtt.message_rejected').length, 1);
  await cart.close();
});

test("ignores an invalid stop that is this gateway's own message, or is for a different cart", async () => {
  const cart = openCart();
  const { sessionId } = cart.identity;
  const own = { ...actionMessage('emergencyStop'), sessionId, headerId: -1 };
  await cart.send('2/instantActions', own);
  const stop = commandMessage(state, { kind: 'stop', distanceMm: 0, seq: -1 });
  await cart.send('2/command', { ...stop, cartID: 3 });
  await cart.send('2/command', { ...stop, sessionId });
  assert.deepEqual([kinds(cart), cart.dispatcher.begun.length], [[], 0]);
  await cart.close();
});

test('executes a stop with invalid fields on the command topic', async () => {
  const cart = openCart();
  for (const change of [
    { origin: { gatewayId: 'gw-9', principal: 'n'.repeat(65) } },
    { kind: undefined, maxSpeed: 0 },
    { kind: 'Stop', ttlMs: '2000', basis: null },
    { cartID: 'two', commandId: 'not-a-uuid', distanceID: 'x' },
  ])
    await cart.send(
      '2/command',
      commandMessage(state, { kind: 'stop', distanceMm: 0, distanceID: 0, ...change }),
    );
  assert.deepEqual(
    cart.dispatcher.begun.map(({ order }) => order.kind),
    ['stop', 'stop', 'stop', 'stop'],
  );
  assert.match((await cart.errors())[0].errorDescription, /^the stop was executed, but /);
  await cart.close();
});

test("executes stops from Home Assistant's buttons even with additional or invalid fields", async () => {
  const cart = openCart();
  const { config } = discoveryOf(cart.identity, '1.0.0') as { config: Json };
  const buttons: Json[] = Object.values(config.components).filter(
    ({ platform }: Json) => platform === 'button',
  );
  for (const { payload_press } of buttons) {
    const press = JSON.parse(payload_press);
    await cart.send('2/instantActions', { ...press, origin: { gatewayId: 'ha', principal: 'p'.repeat(99) } });
    await cart.send('2/instantActions', { ...press, headerId: '{{ now() }}', user: 'anna' });
  }
  assert.deepEqual(kinds(cart), ['stop', 'stop', 'estop', 'estop']);
  await cart.close();
});

test('executes every random stop that is sent as an instant action, latching or not', async () => {
  const cart = openCart();
  const fuzzer = new StopFuzzer();
  const types = {
    emergencyStop: 'estop',
    haltCat1: 'halt',
    cancelOrder: 'stop',
    startPause: 'stop',
  } as const;
  for (let round = 0; round < ROUNDS; round++) {
    const type = fuzzer.pick(['emergencyStop', 'haltCat1', 'cancelOrder', 'startPause'] as const);
    const message = actionMessage(type, { pressId: randomUUID(), orderId: 7 });
    const [action = {}] = message.actions;
    const sent = fuzzer.changed(
      {
        ...message,
        timestamp: '2026-01-01T00:00:00Z',
        origin: fuzzer.changed({ gatewayId: 'gw-9', source: 'http', principal: 'anna' }),
        actions: [fuzzer.changed(action, ['actionType'])],
      },
      ['actions'],
    );
    cart.dispatcher.stops.length = 0;
    await cart.send(fuzzer.pick(['2/instantActions', '_all/instantActions']), sent);
    assert.deepEqual(kinds(cart), [types[type]], `round ${round}: ${JSON.stringify(sent)}`);
  }
  await cart.close();
});

test.run();
