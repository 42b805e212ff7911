import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
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

/** A gateway that looks at cart 2, which is there. */
async function openPair(later: Later) {
  const broker = await openBroker();
  later(() => broker.close());
  const watcher = await openRemoteCarts(broker.port, later);
  const cart = await openTestCart(broker.port, later);
  await online(watcher.peers);
  return { broker, cart, ...watcher };
}

/** A gateway that looks at cart 2, which is played by the test. */
async function openPuppet(later: Later) {
  const broker = await openBroker();
  later(() => broker.close());
  const watcher = await openRemoteCarts(broker.port, later);
  const puppet = await openBus(broker.port);
  later(() => puppet.close());
  const heard = new Inbox(puppet, 'cart/v1/site1/+/command');
  const actions = new Inbox(puppet, 'cart/v1/site1/+/instantActions');
  const ids = { headerId: 0, cartID: 2, gatewayId: 'gw-2', sessionId: 'puppet-1' };
  const say = async (name: string, body: object) => {
    ids.headerId += 1;
    await puppet.publish(`cart/v1/site1/2/${name}`, JSON.stringify({ ...ids, ...body }), { qos: 0 });
    await echo(puppet);
    await echo(watcher.bus);
  };
  const state = (body: object = {}) =>
    say('state', { driving: false, safetyState: { activeEmergencyStop: 'NONE' }, ...body });
  const ack = (commandId: string, body: object) => say('ack', { commandId, ...body });
  await say('connection', { connectionState: 'ONLINE' });
  await state();
  return { broker, puppet, heard, actions, ids, say, state, ack, ...watcher };
}

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

test('a command to another cart is followed from SENT to FINISHED by what that cart acknowledges', () =>
  withCleanup(async (later) => {
    const { peers, cart, bus } = await openPair(later);
    const seen: string[] = [];
    peers.onCommand(({ state }) => seen.push(state));
    const command = peers.send(order(), USER);
    assert.equal(command.state, 'SENT');
    assert.deepEqual([command.destination, command.simulated], ['mqtt', true]);
    await echo(bus);
    await echo(cart.bus);
    const [there] = cart.dispatcher.begun;
    assert.equal(there?.origin.principal, 'alice');
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

test('every end that a cart can tell is taken over with its reason', () =>
  withCleanup(async (later) => {
    const { peers, ack } = await openPuppet(later);
    for (const state of ['FAILED', 'EXPIRED', 'CANCELLED', 'REJECTED'] as const) {
      const command = peers.send(order(), USER);
      await ack(command.id, { state, reason: { code: 'STALL', text: 'a wheel is stuck' } });
      assert.deepEqual([command.state, command.reason], [state, { code: 'STALL', text: 'a wheel is stuck' }]);
      await ack(command.id, { state: 'RUNNING' });
      assert.equal(command.state, state);
    }
    const queued = peers.send(order(), USER);
    for (const state of ['ACCEPTED', 'QUEUED', 'SENT', 'ACKNOWLEDGED', 'PAUSED', 'RUNNING'])
      await ack(queued.id, { state });
    assert.deepEqual(timeline(queued), ['ACCEPTED', 'SENT', 'ACKNOWLEDGED', 'PAUSED']);
    await ack(queued.id, { state: 'FINISHED' });
    assert.deepEqual(queued.result, { distanceMm: 1000, angleDeg: 0, estimated: true });
  }));

// Fault case 6
test('the same command again is the same command, published once; another one under its id is refused', () =>
  withCleanup(async (later) => {
    const { peers, heard, puppet } = await openPuppet(later);
    const wish = order();
    const first = peers.send(wish, USER);
    for (let i = 0; i < 49; i++) assert.equal(peers.send({ ...wish }, USER), first);
    assert.equal(
      code(() => peers.send({ ...wish, distanceMm: 5 }, USER)),
      'ID_REUSED',
    );
    await heard.first('command');
    await echo(puppet);
    assert.equal(heard.messages.length, 1);
    assert.equal(first.state, 'SENT');
  }));

test('a cart that is added to the list is online at once when it is there', () =>
  withCleanup(async (later) => {
    const broker = await openBroker();
    later(() => broker.close());
    const known = [3];
    const { peers, bus, clock } = await openRemoteCarts(broker.port, later, known);
    const inbox = new Inbox(bus, 'cart/v1/site1/2/+');
    await openTestCart(broker.port, later, 2);
    for (const name of ['connection', 'state']) await inbox.first(name, ({ topic }) => topic.endsWith(name));
    assert.equal(peers.has(2), false);
    const told: number[] = [];
    peers.onChange((cartId) => told.push(cartId));
    known.push(2);
    assert.equal(view(peers, 2)?.online, true);
    // Who looks at a page hears of it within half a second.
    clock.advance(500);
    assert.deepEqual(told, [2]);
  }));

test('only listed carts can be commanded, never the own one, others when the settings allow it', () =>
  withCleanup(async (later) => {
    const { peers, say, unknown } = await openPuppet(later);
    for (const cartId of [1, 9]) {
      assert.equal(peers.has(cartId), false);
      assert.equal(
        code(() => peers.send(order({ cartId }), USER)),
        'CART_UNKNOWN',
      );
    }
    assert.deepEqual(
      peers.carts().map(({ cartID }) => cartID),
      [2, 3],
    );
    unknown.allowed = true;
    assert.equal(
      code(() => peers.send(order({ cartId: 9 }), USER)),
      'CART_OFFLINE',
    );
    assert.equal(peers.has(1), false);
    await say('connection', { connectionState: 'ONLINE' });
    assert.deepEqual(
      peers.carts().map(({ cartID }) => cartID),
      [2, 3],
    );
  }));

test('a cart that is not there is refused at once, with the reason', () =>
  withCleanup(async (later) => {
    const { peers, say, clock, heard } = await openPuppet(later);
    assert.throws(() => peers.send(order({ cartId: 3 }), USER), {
      code: 'CART_OFFLINE',
      message: /no message received from it yet/,
    });
    await say('connection', { connectionState: 'OFFLINE' });
    assert.throws(() => peers.send(order(), USER), { code: 'CART_OFFLINE', message: /switched off/ });
    await say('connection', { connectionState: 'ONLINE' });
    clock.advance(5001);
    assert.throws(() => peers.send(order(), USER), {
      code: 'CART_OFFLINE',
      message: /no message received from it for 5 s/,
    });
    assert.deepEqual(heard.messages, []);
  }));

// Fault case 7
test('a cart whose emergency stop is latched is refused at once; a stop is not', () =>
  withCleanup(async (later) => {
    const { peers, state, heard } = await openPuppet(later);
    await state({ safetyState: { activeEmergencyStop: 'MANUAL' } });
    assert.equal(
      code(() => peers.send(order(), USER)),
      'ESTOP_ACTIVE',
    );
    peers.send(order({ kind: 'stop', distanceMm: 0 }), USER);
    assert.equal((await heard.json('stop')).kind, 'stop');
    assert.equal(heard.messages.length, 1);
  }));

// Fault case 30
test('with the broker away every command is refused at once, and none arrives after its return', () =>
  withCleanup(async (later) => {
    const { broker, peers, bus, cart } = await openPair(later);
    await broker.close();
    await disconnected(bus);
    for (let i = 0; i < 20; i++)
      assert.equal(
        code(() => peers.send(order(), USER)),
        'BROKER_DOWN',
      );
    const [unreached] = await peers.stop(2, 'stop', USER);
    assert.deepEqual([unreached?.confirmed, unreached?.code], [false, 'BROKER_DOWN']);
    peers.giveUpStop(2);
    assert.match(textOf(view(peers, 2)?.reason ?? ''), /broker is not connected/);
    const again = await openBroker({ port: broker.port });
    later(() => again.close());
    await online(peers);
    await echo(bus);
    await echo(cart.bus);
    assert.equal(cart.dispatcher.begun.length, 0);
    peers.send(order(), USER);
    await echo(bus);
    await echo(cart.bus);
    assert.equal(cart.dispatcher.begun.length, 1);
  }));

// Fault case 31
test('without an acknowledgement a command is sent three times under one id, then failed and cancelled', () =>
  withCleanup(async (later) => {
    const { peers, clock, heard, actions, puppet, bus } = await openPuppet(later);
    const command = peers.send(order(), USER);
    for (const ms of [499, 1, 500]) clock.advance(ms);
    assert.equal(command.state, 'SENT');
    clock.advance(500);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ACK_TIMEOUT']);
    const cancel = await actions.json('cancel');
    assert.equal(cancel.actions[0].actionType, 'cancelOrder');
    assert.deepEqual(cancel.actions[0].actionParameters, [{ key: 'orderId', value: command.id }]);
    await echo(bus);
    await echo(puppet);
    const sent = heard.messages.map(json);
    assert.deepEqual(
      sent.map(({ commandId, seq }: Json) => [commandId, seq]),
      [1, 2, 3].map(() => [command.id, 1]),
    );
    assert.deepEqual(new Set(sent.map(({ basis }: Json) => basis.stateHeaderId)).size, 1);
  }));

test('a command is not sent again when its time to live is over, and an unacknowledged jog not at all', () =>
  withCleanup(async (later) => {
    const { peers, clock, heard, puppet, bus } = await openPuppet(later);
    const short = peers.send(order({ ttlMs: 300 }), USER);
    const jog = peers.send(order({ kind: 'jog', distanceMm: 100 }), USER);
    clock.advance(500);
    assert.deepEqual([short.reason?.code, jog.reason?.code], ['ACK_TIMEOUT', 'ACK_TIMEOUT']);
    await echo(bus);
    await echo(puppet);
    assert.equal(heard.messages.length, 2);
  }));

test('a lost acknowledgement is healed by the next state', () =>
  withCleanup(async (later) => {
    const { peers, state, clock, heard } = await openPuppet(later);
    const command = peers.send(order(), USER);
    await state({ x: { commands: [{ commandId: command.id, state: 'RUNNING' }] } });
    assert.equal(command.state, 'RUNNING');
    clock.advance(2000);
    await state({
      x: { commands: [{ commandId: command.id, state: 'FAILED', reason: { code: 'STALL', text: 'stuck' } }] },
    });
    assert.equal(command.reason?.code, 'STALL');
    assert.equal(heard.messages.length, 1);
  }));

test('a command that its cart no longer tells of has ended; one of a restarted gateway is not resumed', () =>
  withCleanup(async (later) => {
    const { peers, state, ack, ids } = await openPuppet(later);
    const forgotten = peers.send(order(), USER);
    await ack(forgotten.id, { state: 'RUNNING' });
    await state({ x: { commands: [] } });
    assert.equal(forgotten.state, 'RUNNING');
    await state({ x: { commands: [] } });
    assert.equal(forgotten.reason?.code, 'RESULT_UNKNOWN');
    const orphan = peers.send(order(), USER);
    await ack(orphan.id, { state: 'RUNNING' });
    ids.sessionId = 'puppet-2';
    await state();
    assert.deepEqual([orphan.state, orphan.reason?.code], ['FAILED', 'CART_RESTARTED']);
  }));

// Fault case 35
test('a cart that dies is offline by its last will at once, one that hangs after 5 s of silence', () =>
  withCleanup(async (later) => {
    const { peers, say, state, ack, clock } = await openPuppet(later);
    const first = peers.send(order(), USER);
    await ack(first.id, { state: 'RUNNING' });
    await say('connection', { connectionState: 'CONNECTION_BROKEN' });
    assert.equal(view(peers, 2)?.online, false);
    assert.deepEqual([first.state, first.reason?.code], ['FAILED', 'CART_OFFLINE']);
    assert.match(textOf(first.reason?.text ?? ''), /whether it has stopped is not known/);
    await say('connection', { connectionState: 'ONLINE' });
    await state();
    assert.equal(view(peers, 2)?.online, true);
    const second = peers.send(order(), USER);
    await ack(second.id, { state: 'RUNNING' });
    clock.advance(5000);
    assert.equal(second.state, 'RUNNING');
    clock.advance(500);
    assert.deepEqual([view(peers, 2)?.online, second.reason?.code], [false, 'CART_OFFLINE']);
  }));

// Fault case 35
test('the last will of the embedded broker reaches the others when a gateway is cut off', () =>
  withCleanup(async (later) => {
    const broker = await openBroker({ authorize: (_client, _action, topic) => topic !== 'poison' });
    later(() => broker.close());
    const { peers } = await openRemoteCarts(broker.port, later);
    const { bus } = await openTestCart(broker.port, later, 2, { random: () => 1 });
    await online(peers);
    await bus.publish('poison', '', { qos: 0 });
    await until(peers, 'offline', () => view(peers, 2)?.online === false);
    assert.match(textOf(view(peers, 2)?.reason ?? ''), /lost its connection to the broker/);
    await online(peers);
  }));

test("a stop reaches one cart or all; a reset is answered with what the cart's state says then", () =>
  withCleanup(async (later) => {
    const { peers, cart } = await openPair(later);
    await peers.stop(2, 'halt', USER);
    await peers.stop(null, 'estop', USER);
    await until(peers, 'latched', () => view(peers, 2)?.safety.emergencyStop === 'REMOTE');
    assert.deepEqual(
      cart.dispatcher.stops.map(({ kind }) => kind),
      ['halt', 'estop'],
    );
    const reset = peers.reset(2, USER);
    await until(peers, 'unlatched', () => view(peers, 2)?.safety.emergencyStop === 'NONE');
    cart.clock.advance(200);
    assert.equal(await within(reset, 'reset'), 'NONE');
    assert.equal(cart.dispatcher.resets.length, 1);
  }));

test("a refused reset rejects with the cart's own reason, an unanswered one after 2 s", () =>
  withCleanup(async (later) => {
    const { peers, cart } = await openPair(later);
    cart.dispatcher.refusal = new GatewayError('RESET_FORBIDDEN', 'reset it at the cart');
    await assert.rejects(within(peers.reset(2, USER), 'reset'), {
      code: 'RESET_FORBIDDEN',
      message: 'reset it at the cart',
    });
    await assert.rejects(peers.reset(9, USER), { code: 'CART_UNKNOWN' });
  }));

test('an unanswered reset is given up after 2 s', () =>
  withCleanup(async (later) => {
    const { peers, clock } = await openPuppet(later);
    const reset = peers.reset(2, USER);
    const outcome = assert.rejects(reset, { code: 'ACK_TIMEOUT' });
    clock.advance(2000);
    await outcome;
  }));

// Fault case 27
test('a jog to another cart is one command, renewed by every further wish of the same person', () =>
  withCleanup(async (later) => {
    const { peers, ack, heard, puppet, bus } = await openPuppet(later);
    const jog = (distanceMm: number) => peers.send(order({ kind: 'jog', distanceMm }), USER);
    const first = jog(100);
    await ack(first.id, { state: 'RUNNING' });
    assert.equal(jog(150), first);
    assert.equal(jog(200), first);
    await echo(bus);
    await echo(puppet);
    assert.deepEqual(
      heard.messages.map((message) => json(message).distanceMm),
      [100, 150, 200],
    );
    assert.equal(new Set(heard.messages.map((message) => json(message).commandId)).size, 3);
  }));

test('kept states, old states, rubbish and the words of other carts change nothing', () =>
  withCleanup(async (later) => {
    const { peers, puppet, say, state, ids, bus } = await openPuppet(later);
    await state({ driving: true });
    const before = JSON.stringify({ ...view(peers, 2), ageMs: 0 });
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
      await puppet.publish(`cart/v1/site1/${topic}`, text, { qos: 1, retain });
    }
    // The kept one comes as kept to those who subscribe later.
    bus.subscribe('cart/v1/+/+/state', () => {});
    await echo(bus);
    await echo(puppet);
    await echo(bus);
    const kept = view(peers, 2);
    assert.equal(
      kept?.safety.emergencyStop,
      'MANUAL',
      'a live message is live, whatever its publisher wanted kept',
    );
    await state({ driving: true });
    await say('visualization', { mobileRobotPosition: { x: 1, y: 2, theta: Math.PI } });
    assert.deepEqual(view(peers, 2)?.pose, { xMm: 1000, yMm: 2000, headingDeg: 180 });
    assert.ok(before.includes('"moving":true'));
  }));

test('the view of another cart is what that cart says of itself', () =>
  withCleanup(async (later) => {
    const { peers, cart } = await openPair(later);
    cart.dispatcher.change({
      controlledBy: 'alice',
      faults: [{ path: 'carts/2', message: 'warm' }],
      pose: { xMm: 1, yMm: 2, headingDeg: 3 },
    });
    cart.clock.advance(1000);
    await until(peers, 'told', () => view(peers, 2)?.controlledBy === 'alice');
    const seen = view(peers, 2);
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

test('an answer to another gateway that used the same id ends nothing here', () =>
  withCleanup(async (later) => {
    const { peers, ack } = await openPuppet(later);
    const command = peers.send(order(), USER);
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

test.run();
