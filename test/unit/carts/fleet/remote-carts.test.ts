import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import { mayUse, mqttRights } from '../../../../src/access/mqtt/rights.js';
import type { Command } from '../../../../src/carts/command/command.js';
import { cartMessage } from '../../../../src/carts/messages.js';
import { safetyMessage } from '../../../../src/carts/safety/messages.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { translated } from '../../../../src/i18n/messages.js';
import { errorText, GatewayError } from '../../../../src/shared/errors.js';
import { type Text, textOf } from '../../../../src/shared/messages/message.js';
import type { MessageBus } from '../../../../src/shared/ports/mqtt.js';
import {
  disconnected,
  echo,
  Inbox,
  type Json,
  json,
  openBroker,
  openBus,
  withCleanup,
  within,
} from '../mqtt/test-bus.js';
import { online, openRemoteCarts, openTestCart, order, USER, until, view } from '../mqtt/test-fleet.js';

type Later = (cleanup: () => unknown) => void;

async function openPair(later: Later) {
  const broker = await openBroker();
  later(() => broker.close());
  const watcher = await openRemoteCarts(broker.port, later);
  const cart = await openTestCart(broker.port, later);
  await online(watcher.remoteCarts);
  return { broker, cart, ...watcher };
}

/** Opens a gateway, and a bus on which the test sends cart 2's messages. */
async function openScripted(later: Later) {
  const broker = await openBroker();
  later(() => broker.close());
  const watcher = await openRemoteCarts(broker.port, later);
  const scripted = await openBus(broker.port);
  later(() => scripted.close());
  const received = new Inbox(scripted, 'cart/v1/site1/+/command');
  const actions = new Inbox(scripted, 'cart/v1/site1/+/instantActions');
  const ids = { headerId: 0, cartID: 2, gatewayId: 'gw-2', sessionId: 'scripted-1' };
  const publish = async (name: string, body: object) => {
    ids.headerId += 1;
    await scripted.publish(`cart/v1/site1/2/${name}`, JSON.stringify({ ...ids, ...body }), { qos: 0 });
    await echo(scripted);
    await echo(watcher.bus);
  };
  const state = (body: object = {}) =>
    publish('state', { driving: false, safetyState: { activeEmergencyStop: 'NONE' }, ...body });
  const ack = (commandId: string, body: object) => publish('ack', { commandId, ...body });
  await publish('connection', { connectionState: 'ONLINE' });
  await state();
  return { broker, scripted, received, actions, ids, publish, state, ack, ...watcher };
}

const dutch = (text: Text): string => withLanguage('nl', () => translated(text));
const timeline = (command: Command) => command.transitions.map(({ state }) => state);
const code = (run: () => unknown): string => {
  try {
    run();
    return 'nothing thrown';
  } catch (thrown) {
    return thrown instanceof GatewayError ? thrown.code : String(thrown);
  }
};
const ended = (command: Command) => within(command.reached('done'), 'the end of the command');

test('lists the carts on the broker that are missing from the settings, by number and name', () =>
  withCleanup(async (later) => {
    const { remoteCarts, scripted, bus, unknown } = await openScripted(later);
    const publish = (cartID: number, name: string, body: object) => {
      const message = { headerId: 1, cartID, gatewayId: `gw-${cartID}`, sessionId: `s-${cartID}`, ...body };
      return scripted.publish(`cart/v1/site1/${cartID}/${name}`, JSON.stringify(message), { qos: 0 });
    };
    const state = { driving: false, safetyState: { activeEmergencyStop: 'NONE' }, x: { name: 'Forklift' } };
    await publish(9, 'state', state);
    await publish(7, 'connection', { connectionState: 'OFFLINE' });
    await publish(1, 'connection', { connectionState: 'ONLINE' });
    await echo(scripted);
    await echo(bus);
    const expected = [
      { cartID: 7, name: 'Cart 7' },
      { cartID: 9, name: 'Forklift' },
    ];
    assert.deepEqual(remoteCarts.unlisted(), expected);
    unknown.allowed = true;
    assert.deepEqual(remoteCarts.unlisted(), expected);
  }));

test("shows a remote cart's location as long as the cart reports it", () =>
  withCleanup(async (later) => {
    const { remoteCarts, state } = await openScripted(later);
    const location = {
      xMm: 1000,
      yMm: 500,
      headingDeg: 90,
      state: 'GOOD',
      covariance: [
        [100, 0, 0],
        [0, 100, 0],
        [0, 0, 1],
      ],
      ellipse: { semiMajorMm: 24, semiMinorMm: 24, angleDeg: 0, probability: 0.95 },
      ageMs: { odometry: 20, markers: 100, beacons: null },
      suspiciousMarkers: [3],
    };
    await state({ x: { location } });
    assert.deepEqual(view(remoteCarts, 2)?.location, location);
    await state();
    assert.equal(view(remoteCarts, 2)?.location, undefined);
  }));

test('tracks a remote command from SENT to FINISHED through its acknowledgements', () =>
  withCleanup(async (later) => {
    const { remoteCarts, cart, bus } = await openPair(later);
    const seen: string[] = [];
    remoteCarts.onCommand(({ state }) => seen.push(state));
    const command = remoteCarts.send(order(), USER);
    assert.equal(command.state, 'SENT');
    assert.deepEqual([command.destination, command.simulated], ['mqtt', true]);
    await echo(bus);
    await echo(cart.bus);
    const [there] = cart.dispatcher.begun;
    assert.equal(there?.origin.actor.name, 'alice');
    assert.equal(there?.origin.gatewayId, 'gw-1');
    there?.advance('ACKNOWLEDGED', 'ack');
    await within(command.reached('ack'), 'acknowledged');
    there?.advance('RUNNING', 'status');
    cart.dispatcher.finish();
    await ended(command);
    assert.deepEqual(timeline(command), ['ACCEPTED', 'SENT', 'ACKNOWLEDGED', 'RUNNING', 'FINISHED']);
    assert.deepEqual(command.result, { distanceMm: 990, angleDeg: 0, estimated: false });
    assert.deepEqual(seen, ['SENT', 'ACKNOWLEDGED', 'RUNNING', 'FINISHED']);
  }));

test('adopts every final state of a remote command, with its reason', () =>
  withCleanup(async (later) => {
    const { remoteCarts, ack } = await openScripted(later);
    for (const state of ['FAILED', 'EXPIRED', 'CANCELLED', 'REJECTED'] as const) {
      const command = remoteCarts.send(order(), USER);
      await ack(command.id, { state, reason: { code: 'CONTROLLER_FAULT', text: 'a wheel is stuck' } });
      const reason = { code: 'CONTROLLER_FAULT', text: 'a wheel is stuck' };
      assert.deepEqual([command.state, command.reason], [state, reason]);
      await ack(command.id, { state: 'RUNNING' });
      assert.equal(command.state, state);
    }
    const queued = remoteCarts.send(order(), USER);
    for (const state of ['ACCEPTED', 'QUEUED', 'SENT', 'ACKNOWLEDGED', 'PAUSED', 'RUNNING'])
      await ack(queued.id, { state });
    assert.deepEqual(timeline(queued), ['ACCEPTED', 'SENT', 'ACKNOWLEDGED', 'PAUSED']);
    await ack(queued.id, { state: 'FINISHED' });
    assert.deepEqual(queued.result, { distanceMm: 1000, angleDeg: 0, estimated: true });
  }));

test('adopts the distance of an interrupted move that the cart measures after acknowledging the stop', () =>
  withCleanup(async (later) => {
    const { remoteCarts, cart, bus } = await openPair(later);
    const command = remoteCarts.send(order(), USER);
    await echo(bus);
    await echo(cart.bus);
    cart.dispatcher.stopOwn('stop', USER);
    await ended(command);
    assert.deepEqual([command.state, command.result], ['CANCELLED', undefined]);
    const measured = new Promise<void>((resolve) => command.onMeasured(resolve));
    const result = { distanceMm: 250, angleDeg: 0, estimated: false };
    cart.dispatcher.begun[0]?.measure(result);
    await within(measured, 'the distance');
    assert.deepEqual([command.state, command.result], ['CANCELLED', result]);
  }));

test("takes the distance of an interrupted move from a state only once, and never from another cart's state", () =>
  withCleanup(async (later) => {
    const { remoteCarts, ack, state } = await openScripted(later);
    const command = remoteCarts.send(order(), USER);
    const result = { distanceMm: 250, angleDeg: 0, estimated: false };
    const listed = (more: object) => ({ commandId: command.id, state: 'CANCELLED', ...more });
    const reason = { code: 'STOPPED', text: 'stopped' };
    await ack(command.id, { state: 'CANCELLED', reason });
    await ack(command.id, { state: 'CANCELLED', reason, cartID: 3, result });
    await state({ x: { commands: [listed({ reason })] } });
    assert.equal(command.result, undefined);
    await state({ x: { commands: [listed({ reason, result })] } });
    await state({ x: { commands: [listed({ reason, result: { ...result, distanceMm: 900 } })] } });
    assert.deepEqual(command.result, result);
    const stopped = remoteCarts.send(order(), USER);
    await ack(stopped.id, { state: 'CANCELLED', reason, result });
    assert.deepEqual(stopped.result, result);
  }));

// Fault case 6
test('publishes a repeated command only once, and rejects a different command with the same ID', () =>
  withCleanup(async (later) => {
    const { remoteCarts, received, scripted } = await openScripted(later);
    const wish = order();
    const first = remoteCarts.send(wish, USER);
    for (let i = 0; i < 49; i++) assert.equal(remoteCarts.send({ ...wish }, USER), first);
    assert.equal(
      code(() => remoteCarts.send({ ...wish, distanceMm: 5 }, USER)),
      'ID_REUSED',
    );
    await received.first('command');
    await echo(scripted);
    assert.equal(received.messages.length, 1);
    assert.equal(first.state, 'SENT');
  }));

test('shows a cart as online as soon as the cart is added to the settings', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const known = [3];
    const { remoteCarts, bus, clock } = await openRemoteCarts(broker.port, later, known);
    const inbox = new Inbox(bus, 'cart/v1/site1/2/+');
    await openTestCart(broker.port, later, 2);
    for (const name of ['connection', 'state']) await inbox.first(name, ({ topic }) => topic.endsWith(name));
    assert.equal(remoteCarts.has(2), false);
    const told: number[] = [];
    remoteCarts.onChange((cartId) => told.push(cartId));
    known.push(2);
    assert.equal(view(remoteCarts, 2)?.online, true);
    // Pages are updated within 0.5 s.
    clock.advance(500);
    assert.deepEqual(told, [2]);
  }));

test('accepts commands for listed carts and, if allowed, unlisted carts, but not for the local cart', () =>
  withCleanup(async (later) => {
    const { remoteCarts, publish, unknown } = await openScripted(later);
    for (const cartId of [1, 9]) {
      assert.equal(remoteCarts.has(cartId), false);
      assert.equal(
        code(() => remoteCarts.send(order({ cartId }), USER)),
        'CART_UNKNOWN',
      );
    }
    assert.deepEqual(
      remoteCarts.carts().map(({ cartID }) => cartID),
      [2, 3],
    );
    unknown.allowed = true;
    assert.equal(
      code(() => remoteCarts.send(order({ cartId: 9 }), USER)),
      'CART_OFFLINE',
    );
    assert.equal(remoteCarts.has(1), false);
    await publish('connection', { connectionState: 'ONLINE' });
    assert.deepEqual(
      remoteCarts.carts().map(({ cartID }) => cartID),
      [2, 3],
    );
  }));

test('immediately rejects a command to an offline cart, and reports the reason', () =>
  withCleanup(async (later) => {
    const { remoteCarts, publish, clock, received } = await openScripted(later);
    assert.throws(() => remoteCarts.send(order({ cartId: 3 }), USER), {
      code: 'CART_OFFLINE',
      message: /no data received yet/,
    });
    await publish('connection', { connectionState: 'OFFLINE' });
    assert.throws(() => remoteCarts.send(order(), USER), { code: 'CART_OFFLINE', message: /switched off/ });
    await publish('connection', { connectionState: 'ONLINE' });
    clock.advance(5001);
    assert.throws(() => remoteCarts.send(order(), USER), {
      code: 'CART_OFFLINE',
      message: /no message received for 5 s/,
    });
    assert.deepEqual(received.messages, []);
  }));

// Fault case 7
test('immediately rejects a command to a cart with a latched stop, but still sends a stop', () =>
  withCleanup(async (later) => {
    const { remoteCarts, state, received } = await openScripted(later);
    await state({ safetyState: { activeEmergencyStop: 'MANUAL' } });
    assert.equal(
      code(() => remoteCarts.send(order(), USER)),
      'ESTOP_ACTIVE',
    );
    remoteCarts.send(order({ kind: 'stop', distanceMm: 0 }), USER);
    assert.equal((await received.json('stop')).kind, 'stop');
    assert.equal(received.messages.length, 1);
  }));

// Fault case 30
test('rejects commands immediately while the broker is down, and does not send them later', () =>
  withCleanup(async (later) => {
    const { broker, remoteCarts, bus, cart } = await openPair(later);
    await broker.close();
    await disconnected(bus);
    for (let i = 0; i < 20; i++)
      assert.equal(
        code(() => remoteCarts.send(order(), USER)),
        'BROKER_DOWN',
      );
    const [unreached] = await remoteCarts.stop(2, 'stop', USER);
    assert.deepEqual([unreached?.confirmed, unreached?.code], [false, 'BROKER_DOWN']);
    remoteCarts.giveUpStop(2);
    assert.match(textOf(view(remoteCarts, 2)?.reason ?? ''), /MQTT server is not connected/);
    const again = await openBroker({ port: broker.port });
    later(() => again.close());
    await online(remoteCarts);
    await echo(bus);
    await echo(cart.bus);
    assert.equal(cart.dispatcher.begun.length, 0);
    remoteCarts.send(order(), USER);
    await echo(bus);
    await echo(cart.bus);
    assert.equal(cart.dispatcher.begun.length, 1);
  }));

// Fault case 31
test('sends an unacknowledged command three times with the same ID, then fails and cancels it', () =>
  withCleanup(async (later) => {
    const { remoteCarts, clock, received, actions, scripted, bus } = await openScripted(later);
    const command = remoteCarts.send(order(), USER);
    for (const ms of [499, 1, 500]) clock.advance(ms);
    assert.equal(command.state, 'SENT');
    clock.advance(500);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ACK_TIMEOUT']);
    const cancel = await actions.json('cancel');
    assert.equal(cancel.actions[0].actionType, 'cancelOrder');
    assert.deepEqual(cancel.actions[0].actionParameters, [{ key: 'orderId', value: command.id }]);
    await echo(bus);
    await echo(scripted);
    const sent = received.messages.map(json);
    assert.deepEqual(
      sent.map(({ commandId, seq }: Json) => [commandId, seq]),
      [1, 2, 3].map(() => [command.id, 1]),
    );
    assert.deepEqual(new Set(sent.map(({ basis }: Json) => basis.stateHeaderId)).size, 1);
  }));

test('does not resend a command after its TTL has elapsed, and never resends an unacknowledged jog', () =>
  withCleanup(async (later) => {
    const { remoteCarts, clock, received, scripted, bus } = await openScripted(later);
    const short = remoteCarts.send(order({ ttlMs: 300 }), USER);
    const jog = remoteCarts.send(order({ kind: 'jog', distanceMm: 100 }), USER);
    clock.advance(500);
    assert.deepEqual([short.reason?.code, jog.reason?.code], ['ACK_TIMEOUT', 'ACK_TIMEOUT']);
    await echo(bus);
    await echo(scripted);
    assert.equal(received.messages.length, 2);
  }));

test("replaces a remote cart's unknown error code with the command's state", () =>
  withCleanup(async (later) => {
    const { remoteCarts, ack } = await openScripted(later);
    for (const state of ['FAILED', 'EXPIRED', 'CANCELLED', 'REJECTED'] as const) {
      const command = remoteCarts.send(order(), USER);
      await ack(command.id, { state, reason: { code: 'STALL', text: 'a wheel is stuck' } });
      assert.deepEqual(command.reason, { code: state, text: 'STALL: a wheel is stuck' });
    }
  }));

test("reads the outcome of a command from the cart's next state when an acknowledgement is lost", () =>
  withCleanup(async (later) => {
    const { remoteCarts, state, clock, received } = await openScripted(later);
    const command = remoteCarts.send(order(), USER);
    await state({ x: { commands: [{ commandId: command.id, state: 'RUNNING' }] } });
    assert.equal(command.state, 'RUNNING');
    clock.advance(2000);
    await state({
      x: {
        commands: [
          { commandId: command.id, state: 'FAILED', reason: { code: 'CONTROLLER_FAULT', text: 'stuck' } },
        ],
      },
    });
    assert.equal(command.reason?.code, 'CONTROLLER_FAULT');
    assert.equal(received.messages.length, 1);
  }));

test("ends a command when the cart no longer lists it, or when the cart's gateway restarts", () =>
  withCleanup(async (later) => {
    const { remoteCarts, state, ack, ids, clock } = await openScripted(later);
    const forgotten = remoteCarts.send(order(), USER);
    await ack(forgotten.id, { state: 'RUNNING' });
    await state({ x: { commands: [] } });
    assert.equal(forgotten.state, 'RUNNING');
    await state({ x: { commands: [] } });
    assert.equal(forgotten.reason?.code, 'RESULT_UNKNOWN');
    const orphan = remoteCarts.send(order(), USER);
    await ack(orphan.id, { state: 'RUNNING' });
    ids.sessionId = 'scripted-2';
    clock.advance(3000);
    await state();
    assert.deepEqual([orphan.state, orphan.reason?.code], ['FAILED', 'CART_RESTARTED']);
  }));

test('continues a command when a late state or the last will of the old session arrives', () =>
  withCleanup(async (later) => {
    const { remoteCarts, state, ack, ids, publish, clock } = await openScripted(later);
    ids.sessionId = 'scripted-2';
    await state();
    const command = remoteCarts.send(order(), USER);
    await ack(command.id, { state: 'RUNNING' });
    clock.advance(3000);
    await state({ x: { commands: [{ commandId: command.id, state: 'RUNNING' }] } });
    ids.sessionId = 'scripted-1';
    await state({ x: { commands: [] } });
    await publish('connection', { connectionState: 'CONNECTION_BROKEN' });
    assert.deepEqual([command.state, view(remoteCarts, 2)?.online], ['RUNNING', true]);
  }));

// Fault case 62
test('continues a command that another gateway with the same cart number rejects or does not list', () =>
  withCleanup(async (later) => {
    const { remoteCarts, state, ack, ids } = await openScripted(later);
    const command = remoteCarts.send(order(), USER);
    const reason = { code: 'EXPIRED_SESSION', text: 'another session' };
    ids.sessionId = 'scripted-2';
    await ack(command.id, { state: 'REJECTED', reason });
    await state({ x: { commands: [] } });
    ids.sessionId = 'scripted-1';
    await ack(command.id, { state: 'RUNNING' });
    ids.sessionId = 'scripted-2';
    await ack(command.id, { state: 'REJECTED', reason });
    assert.equal(command.state, 'RUNNING');
    const result = { distanceMm: 1000, angleDeg: 0, estimated: false };
    ids.sessionId = 'scripted-1';
    await ack(command.id, { state: 'FINISHED', result });
    assert.deepEqual(command.result, result);
  }));

// Fault case 62
test('completes a reset that another gateway with the same cart number rejects', () =>
  withCleanup(async (later) => {
    const { remoteCarts, state, ack, ids, actions } = await openScripted(later);
    await state({ safetyState: { activeEmergencyStop: 'REMOTE' } });
    const reset = remoteCarts.reset(2, USER);
    const sent = await actions.json('the reset');
    const { actionId } = sent.actions[0];
    ids.sessionId = 'scripted-2';
    await ack(actionId, { state: 'REJECTED', reason: { code: 'EXPIRED_SESSION', text: 'another session' } });
    ids.sessionId = 'scripted-1';
    await ack(actionId, { state: 'FINISHED' });
    await state();
    assert.equal(await within(reset, 'reset'), 'NONE');
  }));

// Fault case 35
test('marks a crashed cart as offline when its last will arrives', () =>
  withCleanup(async (later) => {
    const { remoteCarts, publish, state, ack } = await openScripted(later);
    const first = remoteCarts.send(order(), USER);
    await ack(first.id, { state: 'RUNNING' });
    await publish('connection', { connectionState: 'CONNECTION_BROKEN' });
    assert.equal(view(remoteCarts, 2)?.online, false);
    assert.deepEqual([first.state, first.reason?.code], ['FAILED', 'CART_OFFLINE']);
    assert.match(textOf(first.reason?.text ?? ''), /it is not known whether the cart has stopped/);
    await publish('connection', { connectionState: 'ONLINE' });
    await state();
    assert.equal(view(remoteCarts, 2)?.online, true);
  }));

test('marks a frozen cart as offline after 5 s of silence', () =>
  withCleanup(async (later) => {
    const { remoteCarts, ack, clock } = await openScripted(later);
    const command = remoteCarts.send(order(), USER);
    await ack(command.id, { state: 'RUNNING' });
    clock.advance(5000);
    assert.equal(command.state, 'RUNNING');
    clock.advance(500);
    assert.deepEqual([view(remoteCarts, 2)?.online, command.reason?.code], [false, 'CART_OFFLINE']);
  }));

// Fault case 35
test('receives the last will from the embedded broker when a gateway loses its connection', () =>
  withCleanup(async (later) => {
    const broker = await openBroker({ authorize: (_client, _action, topic) => topic !== 'poison' });
    later(() => broker.close());
    const { remoteCarts } = await openRemoteCarts(broker.port, later);
    const { bus } = await openTestCart(broker.port, later, 2, { random: () => 1 });
    await online(remoteCarts);
    await bus.publish('poison', '', { qos: 0 });
    await until(remoteCarts, 'offline', () => view(remoteCarts, 2)?.online === false);
    assert.match(textOf(view(remoteCarts, 2)?.reason ?? ''), /lost its connection to the MQTT server/);
    await online(remoteCarts);
  }));

test('stops one cart or all carts', () =>
  withCleanup(async (later) => {
    const { remoteCarts, cart } = await openPair(later);
    await remoteCarts.stop(2, 'halt', USER);
    await remoteCarts.stop(null, 'estop', USER);
    await until(remoteCarts, 'latched', () => view(remoteCarts, 2)?.safety.emergencyStop === 'REMOTE');
    assert.deepEqual(
      cart.dispatcher.stops.map(({ kind }) => kind),
      ['halt', 'estop'],
    );
  }));

test("a reset is resolved by the cart's next state", () =>
  withCleanup(async (later) => {
    const { remoteCarts, cart } = await openPair(later);
    await remoteCarts.stop(2, 'estop', USER);
    await until(remoteCarts, 'latched', () => view(remoteCarts, 2)?.safety.emergencyStop === 'REMOTE');
    const reset = remoteCarts.reset(2, USER);
    await until(remoteCarts, 'unlatched', () => view(remoteCarts, 2)?.safety.emergencyStop === 'NONE');
    cart.clock.advance(200);
    assert.equal(await within(reset, 'reset'), 'NONE');
    assert.equal(cart.dispatcher.resets.length, 1);
  }));

test('a rejected reset fails with the reason from the cart', () =>
  withCleanup(async (later) => {
    const { remoteCarts, cart } = await openPair(later);
    cart.dispatcher.refusal = new GatewayError('RESET_FORBIDDEN', 'reset it at the cart');
    await assert.rejects(within(remoteCarts.reset(2, USER), 'reset'), {
      code: 'RESET_FORBIDDEN',
      message: 'reset it at the cart',
    });
    await assert.rejects(remoteCarts.reset(9, USER), { code: 'CART_UNKNOWN' });
  }));

test("translates the reason of a cart's rejected reset", () =>
  withCleanup(async (later) => {
    const { remoteCarts, cart } = await openPair(later);
    cart.dispatcher.refusal = new GatewayError('RESET_FORBIDDEN', safetyMessage('still-pressed').text);
    await assert.rejects(within(remoteCarts.reset(2, USER), 'reset'), (thrown) => {
      assert.equal(dutch(errorText(thrown)), dutch(safetyMessage('still-pressed')));
      return true;
    });
  }));

test("translates the reason of a cart's rejected command", () =>
  withCleanup(async (later) => {
    const { remoteCarts, ack } = await openScripted(later);
    const command = remoteCarts.send(order(), USER);
    const message = cartMessage('stopped-by', { by: 'anna' });
    await ack(command.id, { state: 'REJECTED', reason: { code: 'STOPPED', text: message.text } });
    assert.equal(command.reason?.code, 'STOPPED');
    assert.equal(dutch(command.reason?.text ?? ''), dutch(message));
  }));

test("translates the reasons and faults in a cart's state", () =>
  withCleanup(async (later) => {
    const { remoteCarts, state } = await openScripted(later);
    const reason = safetyMessage('battery-low', { mv: 10_200, limit: 10_500 });
    const needs = safetyMessage('not-connected');
    const cause = safetyMessage('input-lost', { reason: safetyMessage('input-not-read') });
    const offline = cartMessage('shutting-down');
    await state({
      safetyState: { activeEmergencyStop: 'MANUAL' },
      x: {
        online: false,
        reason: offline.text,
        faults: [{ path: '/battery', message: reason.text }],
        safety: {
          mayMove: false,
          reason: reason.text,
          code: 'BATTERY_LOW',
          emergencyStop: 'MANUAL',
          stoppedBy: cause.text,
          input: 'healthy',
          pins: 'onoff',
          resetNeeds: needs.text,
        },
      },
    });
    const cart = view(remoteCarts, 2);
    const shown = [cart?.safety.reason, cart?.safety.resetNeeds, cart?.safety.stoppedBy, cart?.reason];
    const all = [...shown, cart?.faults[0]?.message].map((text) => dutch(text ?? ''));
    assert.deepEqual(all, [reason, needs, cause, offline, reason].map(dutch));
    assert.ok(all.every((text, at) => text !== [reason, needs, cause, offline, reason][at]?.text));
  }));

test('a reset fails after 2 s if the cart does not respond', () =>
  withCleanup(async (later) => {
    const { remoteCarts, clock } = await openScripted(later);
    const reset = remoteCarts.reset(2, USER);
    const outcome = assert.rejects(reset, { code: 'ACK_TIMEOUT' });
    clock.advance(2000);
    await outcome;
  }));

// Fault case 27
test('renews a remote jog with every further jog command from the same user', () =>
  withCleanup(async (later) => {
    const { remoteCarts, ack, received, scripted, bus } = await openScripted(later);
    const jog = (distanceMm: number) => remoteCarts.send(order({ kind: 'jog', distanceMm }), USER);
    const first = jog(100);
    await ack(first.id, { state: 'RUNNING' });
    assert.equal(jog(150), first);
    assert.equal(jog(200), first);
    await echo(bus);
    await echo(scripted);
    assert.deepEqual(
      received.messages.map((message) => json(message).distanceMm),
      [100, 150, 200],
    );
    assert.equal(new Set(received.messages.map((message) => json(message).commandId)).size, 3);
  }));

test('ignores retained states, old states, invalid messages and messages about other carts', () =>
  withCleanup(async (later) => {
    const { remoteCarts, scripted, publish, state, ids, bus } = await openScripted(later);
    await state({ driving: true });
    const before = JSON.stringify({ ...view(remoteCarts, 2), ageMs: 0 });
    const body = { ...ids, driving: false, safetyState: { activeEmergencyStop: 'MANUAL' } };
    const payloads: [string, string | object, boolean][] = [
      ['2/state', { ...body, headerId: ids.headerId + 50 }, true],
      ['2/state', { ...body, headerId: 1 }, false],
      ['2/state', { ...body, headerId: 99, cartID: 3 }, false],
      ['2/state', 'rubbish', false],
      ['2/state', `${'['.repeat(4000)}`, false],
      ['2/connection', { ...ids, connectionState: 'GONE' }, false],
      ['1/state', { ...body, cartID: 1, headerId: 99 }, false],
    ];
    for (const [topic, payload, retain] of payloads) {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
      await scripted.publish(`cart/v1/site1/${topic}`, text, { qos: 1, retain });
    }
    // A later subscription receives the retained state with the retain flag.
    bus.subscribe('cart/v1/+/+/state', () => {});
    await echo(bus);
    await echo(scripted);
    await echo(bus);
    const kept = view(remoteCarts, 2);
    assert.equal(kept?.safety.emergencyStop, 'MANUAL', 'a current subscriber receives the message as live');
    await state({ driving: true });
    await publish('visualization', { mobileRobotPosition: { x: 1, y: 2, theta: Math.PI } });
    assert.deepEqual(view(remoteCarts, 2)?.pose, { xMm: 1000, yMm: 2000, headingDeg: 180 });
    assert.ok(before.includes('"moving":true'));
  }));

test('shows the state that a remote cart reports', () =>
  withCleanup(async (later) => {
    const { remoteCarts, cart } = await openPair(later);
    cart.dispatcher.change({
      controlledBy: 'alice',
      faults: [{ path: 'carts/2', message: 'warm' }],
      pose: { xMm: 1, yMm: 2, headingDeg: 3 },
    });
    cart.clock.advance(1000);
    await until(remoteCarts, 'told', () => view(remoteCarts, 2)?.controlledBy === 'alice');
    const seen = view(remoteCarts, 2);
    assert.deepEqual(
      { ...seen, ageMs: 0 },
      {
        cartID: 2,
        name: 'Cart 2',
        destination: 'mqtt',
        simulated: true,
        online: true,
        reason: '',
        moving: false,
        ageMs: 0,
        safety: cart.dispatcher.view.safety,
        pose: { xMm: 1, yMm: 2, headingDeg: 3 },
        controlledBy: 'alice',
        faults: [{ path: 'carts/2', message: 'warm' }],
      },
    );
  }));

test('ignores a reply to a different gateway that used the same command ID', () =>
  withCleanup(async (later) => {
    const { remoteCarts, ack } = await openScripted(later);
    const command = remoteCarts.send(order(), USER);
    await ack(command.id, { state: 'RUNNING' });
    await ack(command.id, {
      state: 'REJECTED',
      reason: { code: 'ID_REUSED', text: 'x' },
      inReplyTo: { gatewayId: 'gw-5' },
    });
    assert.equal(command.state, 'RUNNING');
    await ack(randomUUID(), { state: 'FINISHED' });
    assert.equal(command.state, 'RUNNING');
  }));

// Fault case 61
test('only a client that is permitted to publish as this cart can raise the alarm about a duplicate', () =>
  withCleanup(async (later) => {
    const rights = mqttRights(['mqtt', 'mqtt:control', 'mqtt:read', 'mqtt:cart:9']);
    const broker = await openBroker({
      authorize: ({ clientId }, action, topic) =>
        clientId !== 'stranger' || mayUse(rights ?? assert.fail(), action, topic, 'cart/v1/site1'),
    });
    later(() => broker.close());
    const { remoteCarts, bus } = await openRemoteCarts(broker.port, later);
    const publish = async (sender: MessageBus, headerId: number) => {
      const ids = { headerId, cartID: 1, gatewayId: 'gw-1', sessionId: 'stranger' };
      const state = { ...ids, driving: false, safetyState: { activeEmergencyStop: 'NONE' } };
      await sender.publish('cart/v1/site1/1/state', JSON.stringify(state), { qos: 0 });
    };
    for (const headerId of [1, 2, 3]) {
      const stranger = await openBus(broker.port, { clientId: 'stranger' });
      await publish(stranger, headerId);
      // The broker ends the connection of a client that publishes without the right to do so.
      await disconnected(stranger);
      await stranger.close();
    }
    await echo(bus);
    assert.deepEqual(remoteCarts.duplicates(), []);
    const copy = await openBus(broker.port);
    later(() => copy.close());
    for (const headerId of [4, 5]) await publish(copy, headerId);
    await echo(copy);
    await echo(bus);
    assert.deepEqual(
      remoteCarts.duplicates().map(({ cartID, gateways }) => [cartID, ...gateways]),
      [[1, 'gw-1']],
    );
  }));

test.run();
