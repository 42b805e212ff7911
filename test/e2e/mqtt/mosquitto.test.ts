import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { connectBus, testBroker } from '../../../src/adapters/mqtt/mqtt.js';
import { systemClock } from '../../../src/shared/clock.js';
import { GatewayError } from '../../../src/shared/errors.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import {
  busOptions,
  connected,
  disconnected,
  echo,
  Inbox,
  type Json,
  json,
  openBus,
  status,
  withCleanup,
  within,
} from '../../unit/carts/mqtt/test-bus.js';
import {
  actionMessage,
  commandMessage,
  online,
  openRemoteCarts,
  openTestCart,
  order,
  USER,
  until,
  view,
} from '../../unit/carts/mqtt/test-fleet.js';
import { hasMosquitto, type Mosquitto, startMosquitto } from './mosquitto.js';

const test = suite('gateways and carts with mosquitto');
type Later = (cleanup: () => unknown) => void;

async function startBroker(later: Later, ...how: Parameters<typeof startMosquitto>): Promise<Mosquitto> {
  const mosquitto = await startMosquitto(...how);
  later(() => mosquitto.close());
  return mosquitto;
}

const code = (run: () => unknown): string => {
  try {
    run();
    return 'nothing thrown';
  } catch (thrown) {
    return thrown instanceof GatewayError ? thrown.code : String(thrown);
  }
};

// Fault case 30
test('commands sent during a broker outage are rejected immediately and are not delivered later', () =>
  withCleanup(async (later) => {
    const mosquitto = await startBroker(later);
    const { remoteCarts, bus, clock } = await openRemoteCarts(mosquitto.port, later);
    const cart = await openTestCart(mosquitto.port, later);
    await online(remoteCarts);
    await mosquitto.kill();
    await Promise.all([disconnected(bus), disconnected(cart.bus)]);
    const refusals: string[] = [];
    for (let i = 0; i < 20; i++) {
      refusals.push(code(() => remoteCarts.send(order(), USER)));
      const options = { qos: i % 2 === 0 ? 0 : 1 } as const;
      await assert.rejects(bus.publish('cart/v1/site1/2/command', 'stale', options), { code: 'BROKER_DOWN' });
      await assert.rejects(bus.publish('cart/v1/site1/2/instantActions', 'stale', options), {
        code: 'BROKER_DOWN',
      });
    }
    assert.deepEqual(new Set(refusals), new Set(['BROKER_DOWN']));
    await mosquitto.start();
    const observer = await mosquitto.observer('cart/v1/site1/2/#');
    // After 30 s, the cart's earlier messages are stale, so it is online only after a new message.
    clock.advance(30_000);
    await Promise.all([connected(bus), connected(cart.bus)]);
    cart.clock.advance(1000);
    await online(remoteCarts);
    const fresh = remoteCarts.send(order(), USER);
    await observer.first(fresh.id);
    await echo(bus);
    await echo(cart.bus);
    assert.deepEqual(
      cart.dispatcher.begun.map(({ id }) => id),
      [fresh.id],
    );
    const late = observer.messages.filter(
      ({ topic, payload }) => /command|instantActions/.test(topic) && !payload.includes(fresh.id),
    );
    assert.deepEqual(late, []);
  }));

// Fault case 32
test('retained and replayed commands are rejected, each with a reason', () =>
  withCleanup(async (later) => {
    const mosquitto = await startBroker(later);
    const observer = await openBus(mosquitto.port);
    later(() => observer.close());
    const inbox = new Inbox(observer, 'cart/v1/site1/2/+');
    const yesterday = commandMessage({ sessionId: 'yesterday', headerId: 7 });
    mosquitto.publish('cart/v1/site1/2/command', JSON.stringify(yesterday), '-r', '-q', '1');
    const { dispatcher, clock, bus } = await openTestCart(mosquitto.port, later);
    const reasonOf = (id: string, expected: string) =>
      inbox.json(
        expected,
        (body: Json, topic) =>
          topic.endsWith('/ack') && body.commandId === id && body.reason?.code === expected,
      );
    await reasonOf(yesterday.commandId, 'RETAINED');
    mosquitto.publish('cart/v1/site1/2/command', JSON.stringify(yesterday));
    await reasonOf(yesterday.commandId, 'EXPIRED_SESSION');
    const state = await inbox.json('state', (_body, topic) => topic.endsWith('/state'));
    const good = commandMessage(state);
    mosquitto.publish('cart/v1/site1/2/command', JSON.stringify(good));
    await inbox.json('sent', (body: Json) => body?.commandId === good.commandId && body.state === 'SENT');
    mosquitto.publish('cart/v1/site1/2/command', JSON.stringify(good));
    clock.advance(60_000);
    const replayed = { ...good, commandId: yesterday.commandId };
    mosquitto.publish('cart/v1/site1/2/command', JSON.stringify(replayed));
    await reasonOf(yesterday.commandId, 'EXPIRED');
    await echo(bus);
    assert.deepEqual(
      dispatcher.begun.map(({ id }) => id),
      [good.commandId],
    );
  }));

// Fault case 35
test('the last will of a killed gateway marks its cart offline', () =>
  withCleanup(async (later) => {
    const mosquitto = await startBroker(later);
    const { remoteCarts } = await openRemoteCarts(mosquitto.port, later);
    const cart = spawn(
      process.execPath,
      [fileURLToPath(new URL('./cart-process.js', import.meta.url)), String(mosquitto.port)],
      { stdio: 'ignore' },
    );
    const exit = once(cart, 'exit');
    later(() => cart.kill('SIGKILL'));
    await online(remoteCarts);
    cart.kill('SIGKILL');
    await exit;
    await until(remoteCarts, 'offline', () => view(remoteCarts, 2)?.online === false);
    assert.match(textOf(view(remoteCarts, 2)?.reason ?? ''), /lost its connection to the MQTT server/);
    assert.equal(
      code(() => remoteCarts.send(order(), USER)),
      'CART_OFFLINE',
    );
    // The last will is retained, so later subscribers receive it.
    const latecomer = await openBus(mosquitto.port);
    later(() => latecomer.close());
    const retained = await new Inbox(latecomer, 'cart/v1/site1/2/connection').first('retained');
    assert.deepEqual([retained.retain, json(retained).connectionState], [true, 'CONNECTION_BROKEN']);
  }));

test('a gateway publishes OFFLINE for its own cart and its simulated carts when it stops', () =>
  withCleanup(async (later) => {
    const mosquitto = await startBroker(later);
    const observer = await openBus(mosquitto.port);
    later(() => observer.close());
    const inbox = new Inbox(observer, 'cart/v1/+/+/connection');
    const gateway = await GatewayProcess.start({
      mqtt: { broker: 'external', host: '127.0.0.1', port: mosquitto.port },
    });
    const first = (cartID: number, state: string) =>
      inbox.json(
        `${state} of cart ${cartID}`,
        (body: Json, topic) => topic.endsWith(`/${cartID}/connection`) && body.connectionState === state,
      );
    await Promise.all([1, 2, 3].map((cartID) => first(cartID, 'ONLINE')));
    assert.equal(await gateway.close(), 0);
    await Promise.all([1, 2, 3].map((cartID) => first(cartID, 'OFFLINE')));
  }));

// Fault case 29
test('a client reports a wrong password without revealing it, and connects with the correct password', () =>
  withCleanup(async (later) => {
    const lines = ['allow_anonymous false', 'password_file DIR/passwd'];
    const { port } = await startBroker(later, lines, {}, { user: 'cart', password: 'right' });
    const log = new RecordingLog();
    const wrong = connectBus(
      busOptions(port, { username: 'cart', password: 'hunter2', log, random: () => 1 }),
    );
    later(() => wrong.close());
    const { reason } = await status(wrong, 'refused', (now) => textOf(now.reason) !== 'connecting');
    assert.match(textOf(reason), /incorrect username or password/);
    assert.ok(!JSON.stringify([reason, log.lines]).includes('hunter2'));
    const right = await openBus(port, { username: 'cart', password: 'right' });
    later(() => right.close());
    await echo(right);
    const base = {
      host: '127.0.0.1',
      port,
      protocol: 'mqtt',
      protocolVersion: 'auto',
      clock: systemClock,
      log,
    } as const;
    assert.equal((await testBroker({ ...base, username: 'cart', password: 'right' })).ok, true);
    assert.equal((await testBroker({ ...base, username: 'cart', password: 'hunter2' })).ok, false);
  }));

// Fault cases 29, 38
test('an MQTT 5 client reports a forbidden publish, and "auto" selects MQTT 5', () =>
  withCleanup(async (later) => {
    const acl = 'topic readwrite #\ntopic deny secret/#\n';
    const { port } = await startBroker(later, ['allow_anonymous true', 'acl_file DIR/acl'], { acl });
    for (const protocolVersion of [5, 'auto'] as const) {
      const bus = await openBus(port, { protocolVersion });
      later(() => bus.close());
      await bus.publish('t', 'x', { qos: 0, expiryS: 2 });
      await echo(bus);
      await assert.rejects(bus.publish('secret/x', 'x', { qos: 1 }), { code: 'BROKER_FORBIDS' });
    }
    // MQTT 3.1.1 cannot report a forbidden publish.
    const old = await openBus(port, { protocolVersion: 4 });
    later(() => old.close());
    await old.publish('secret/x', 'x', { qos: 1 });
  }));

test('an MQTT 5 cart also sends acknowledgements to the response topic, with the correlation data', () =>
  withCleanup(async (later) => {
    const mosquitto = await startBroker(later);
    const { port } = mosquitto;
    const observer = await openBus(port, { protocolVersion: 5 });
    later(() => observer.close());
    const inbox = new Inbox(observer, 'cart/v1/site1/#');
    const replies = new Inbox(observer, 'cart/v1/site1/g9/replies');
    const otherTopics = new Inbox(observer, 'else/#');
    const { dispatcher, bus } = await openTestCart(port, later, 2, { protocolVersion: 5 });
    const state = await inbox.json('the first state', (_body, topic) => topic.endsWith('/2/state'));
    const publish = (name: string, body: Json, responseTopic: string): void => {
      const options = ['-V', '5', '-D', 'publish', 'response-topic', responseTopic];
      mosquitto.publish(`cart/v1/site1/2/${name}`, JSON.stringify(body), ...options, ...correlated);
    };
    const correlated = ['-D', 'publish', 'correlation-data', 'wish-7'];

    const message = commandMessage(state);
    publish('command', message, 'cart/v1/site1/g9/replies');
    const sent = (body: Json): boolean => body.commandId === message.commandId && body.state === 'SENT';
    await replies.json('SENT', sent);
    await inbox.json('SENT on the ack topic', (body, topic) => topic.endsWith('/2/ack') && sent(body));
    dispatcher.finish();
    await replies.json('FINISHED', (body) => body.state === 'FINISHED');

    const stale = commandMessage(state, { basis: { sessionId: 'another', stateHeaderId: 1 } });
    publish('command', stale, 'cart/v1/site1/g9/replies');
    const rejected = await replies.json('rejection', (body) => body.state === 'REJECTED');
    assert.deepEqual([rejected.commandId, rejected.reason.code], [stale.commandId, 'EXPIRED_SESSION']);
    publish('instantActions', actionMessage('stateRequest', {}, 'ask-1'), 'cart/v1/site1/g9/replies');
    await replies.json('the action', (body) => body.commandId === 'ask-1');
    assert.ok(replies.messages.every(({ correlationData }) => String(correlationData) === 'wish-7'));

    // A cart does not publish to a response topic that the requester is not allowed to use, but it still
    // publishes the response to the ack topic.
    for (const [at, forbidden] of [
      'else/where',
      'cart/v1/site1/3/command',
      'cart/v1/site1/2/state',
    ].entries()) {
      publish('instantActions', actionMessage('factsheetRequest', {}, `ask-${at + 2}`), forbidden);
      await inbox.json('the answer', (body, topic) => {
        return topic.endsWith('/2/ack') && body.commandId === `ask-${at + 2}`;
      });
    }
    await echo(bus);
    await echo(observer);
    assert.deepEqual(otherTopics.messages, []);
    assert.deepEqual(
      inbox.messages.filter(
        ({ topic, correlationData }) => correlationData && !topic.endsWith('/g9/replies'),
      ),
      inbox.messages.filter(({ responseTopic }) => responseTopic !== undefined),
    );
  }));

// Fault case 30
test('a QoS 1 message that is in flight when the connection is lost is rejected and not sent again', () =>
  withCleanup(async (later) => {
    const mosquitto = await startBroker(later);
    const observer = await mosquitto.observer('safe');
    const bus = await openBus(mosquitto.port, { keepaliveS: 1 });
    later(() => bus.close());
    mosquitto.freeze();
    await assert.rejects(bus.publish('safe', 'once', { qos: 1 }), { code: 'BROKER_DOWN' });
    await disconnected(bus);
    mosquitto.thaw();
    await connected(bus);
    await bus.publish('safe', 'marker', { qos: 1 });
    await observer.first('marker');
    // The kernel accepted the message while the broker was frozen. By default, MQTT.js would have resent the
    // message after reconnecting.
    assert.deepEqual(
      observer.messages.map(({ payload }) => payload),
      ['once', 'marker'],
    );
  }));

// Fault case 31
test('a command sent through a frozen broker times out and is rejected when it arrives late', () =>
  withCleanup(async (later) => {
    const mosquitto = await startBroker(later);
    const { remoteCarts, bus, clock } = await openRemoteCarts(mosquitto.port, later);
    const cart = await openTestCart(mosquitto.port, later, 2, { keepaliveS: 60 });
    await online(remoteCarts);
    const answers = new Inbox(cart.bus, 'cart/v1/site1/2/ack');
    await echo(cart.bus);
    mosquitto.freeze();
    const command = remoteCarts.send(order({ ttlMs: 500 }), USER);
    clock.advance(500);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ACK_TIMEOUT']);
    // Advances the cart's clock by 2 s, so that the command has expired when it arrives.
    cart.clock.advance(2000);
    mosquitto.thaw();
    const late = await answers.json('late', (body: Json) => body.commandId === command.id);
    assert.deepEqual([late.state, late.reason.code], ['REJECTED', 'EXPIRED']);
    await echo(bus);
    await echo(cart.bus);
    assert.equal(cart.dispatcher.begun.length, 0);
  }));

// Fault case 31
test('a client detects a frozen broker while the connection stays open', () =>
  withCleanup(async (later) => {
    const mosquitto = await startBroker(later);
    const bus = await openBus(mosquitto.port, { keepaliveS: 1 });
    later(() => bus.close());
    mosquitto.freeze();
    const { reason } = await disconnected(bus);
    assert.match(textOf(reason), /stopped responding/);
    mosquitto.thaw();
    await within(connected(bus), 'connected again');
  }));

// Fault case 36
test('a client detects a second client with the same ID and avoids a reconnection loop', () =>
  withCleanup(async (later) => {
    const { port } = await startBroker(later);
    const buses = ['5', '4'].map((version) =>
      connectBus(busOptions(port, { clientId: 'twin', protocolVersion: version === '5' ? 5 : 4 })),
    );
    later(() => Promise.all(buses.map((bus) => bus.close())));
    const contested = buses.map(
      (bus) =>
        new Promise<string>((resolve) =>
          bus.onStatus(({ reason }) => textOf(reason).includes('same client ID') && resolve(textOf(reason))),
        ),
    );
    await within(Promise.race(contested), 'contested');
  }));

if (hasMosquitto) test.run();
else process.stdout.write('SKIPPED: gateways and carts with mosquitto (mosquitto is not installed)\n');
