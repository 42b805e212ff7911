import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { openLightFleet, type SimulatedFleet } from '../../../src/app/simulation/fleet.js';
import { systemClock } from '../../../src/shared/clock.js';
import type { MessageBus } from '../../../src/shared/ports/mqtt.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { connected, Inbox, openBus, withCleanup, within } from '../../unit/carts/mqtt/test-bus.js';
import { hasRabbitmq, type Rabbitmq, startRabbitmq } from './rabbitmq.js';

const test = suite('a cluster of three RabbitMQ nodes');

const COUNT = 12;
const FIRST = 101;
const COMMANDS = 120;
const TTL_MS = 2000;
const IDS = Array.from({ length: COUNT }, (_, at) => FIRST + at);

let cluster: Rabbitmq;
let gateway: GatewayProcess;
let fleet: SimulatedFleet;
const log = new RecordingLog();

test.before(async () => {
  cluster = await startRabbitmq(3);
  // Without this policy, subscriptions that were made on a failed node cannot be renewed.
  cluster.rights('policy');
  const settings = {
    mqtt: { broker: 'external', host: '127.0.0.1', port: cluster.port },
    safety: { allowUnknownCarts: true },
    simulation: { carts: [] },
  };
  gateway = await GatewayProcess.start(settings);
  fleet = await openLightFleet({
    first: FIRST,
    count: COUNT,
    fleet: 'site1',
    root: 'cart/v1',
    clock: systemClock,
    log,
    broker: { host: '127.0.0.1', port: cluster.port, protocol: 'mqtt', username: '', password: '' },
  });
  await allOnline();
});
test.after(async () => {
  await fleet?.close();
  await gateway?.close();
  await cluster?.close();
});

const online = (cartID: number) =>
  within(
    gateway.untilCart(cartID, (cart) => cart.online),
    `cart ${cartID} is online`,
    60_000,
  );

const allOnline = async (): Promise<void> => {
  for (const cartID of IDS) await online(cartID);
};

/** Records when each command arrives at its cart, in ms on this process's clock. */
function arrivals(): Map<string, number> {
  const atMs = new Map<string, number>();
  for (const cart of fleet.carts) {
    cart.onOwnCommand(({ id, acceptedAtMs }) => atMs.set(id, atMs.get(id) ?? acceptedAtMs));
  }
  return atMs;
}

interface Sent {
  cartID: number;
  commandId: string;
  sentMs: number;
  status: number;
  code: string;
}

/**
 * Sends four commands at a time while one node is killed. After a rejection, waits until the cart is online,
 * so that later commands are not rejected too.
 */
async function commandThrough(killNode: () => Promise<void>): Promise<Sent[]> {
  const sent: Sent[] = [];
  let killed: Promise<void> | undefined;
  for (let n = 0; n < COMMANDS; n += 4) {
    const four = [n, n + 1, n + 2, n + 3].map((at) => IDS[at % COUNT] ?? FIRST);
    const answers = four.map((cartID) => command(cartID));
    if (n === COMMANDS / 3) killed = killNode();
    for (const answer of await Promise.all(answers)) {
      sent.push(answer);
      if (answer.status !== 200) await online(answer.cartID);
    }
  }
  await killed;
  return sent;
}

async function command(cartID: number): Promise<Sent> {
  const sentMs = performance.now();
  const { status, body } = await gateway.move(cartID, 10, { ttlMs: TTL_MS });
  return { cartID, commandId: body.commandId, sentMs, status, code: body.code ?? '' };
}

/**
 * Publishes repeatedly until the message is received, because messages sent before the subscription is active
 * are lost.
 */
function publishUntilReceived(bus: MessageBus, topic: string, { messages }: Inbox): Promise<void> {
  const publish = async (): Promise<void> => {
    while (!messages.some((message) => message.topic.endsWith(topic)))
      await bus.publish(`cart/v1/site1/${topic}`, '{}', { qos: 1 });
  };
  return within(publish(), `${topic} is received`);
}

test('the permissions let a cart publish only to its own topics and let a gateway send it commands', () =>
  withCleanup(async (later) => {
    cluster.rights('cart', '7', 'secret');
    cluster.rights('gateway', '1', 'secret');
    const login = async (username: string): Promise<MessageBus> => {
      const bus = await openBus(cluster.port, { username, password: 'secret' });
      later(() => bus.close());
      return bus;
    };
    const [cart, boss] = await Promise.all([login('cart-7'), login('gateway-1')]);
    const received = new Inbox(cart, 'cart/v1/site1/7/command');
    const toAll = new Inbox(cart, 'cart/v1/site1/_all/instantActions');
    const states = new Inbox(boss, 'cart/v1/site1/+/state');
    await publishUntilReceived(boss, '7/command', received);
    await publishUntilReceived(boss, '_all/instantActions', toAll);
    await publishUntilReceived(cart, '7/state', states);
    // MQTT 3.1.1 cannot report a forbidden publish, so the broker disconnects the client.
    for (const [bus, topic] of [
      [cart, '8/state'],
      [cart, '7/command'],
      [boss, '7/state'],
    ] as const) {
      await connected(bus);
      await assert.rejects(bus.publish(`cart/v1/site1/${topic}`, 'not mine', { qos: 1 }), {
        code: 'BROKER_DOWN',
      });
    }
    assert.ok(!states.messages.some(({ payload }) => payload.toString() === 'not mine'));
  }));

test('every command is acknowledged or fails when a node is killed, and stale commands are never delivered', async () => {
  await allOnline();
  const arrivedMs = arrivals();
  const sent = await commandThrough(() => cluster.kill(1));
  assert.equal(sent.length, COMMANDS);
  assert.ok(log.events().includes('broker.connection_lost'), 'a cart was connected to that node');
  const good = sent.filter(({ status }) => status === 200);
  const bad = sent.filter(({ status }) => status !== 200);
  const lost = good.filter(({ commandId }) => !arrivedMs.has(commandId));
  assert.deepEqual(lost, [], 'acknowledged but not received by the cart');
  const reasons = new Set(bad.map(({ code }) => code));
  const allowed = /^(BROKER_DOWN|CART_OFFLINE|ACK_TIMEOUT|SUPERSEDED|EXPIRED)$/;
  for (const code of reasons) assert.match(code, allowed);
  assert.ok(good.length > COMMANDS / 2, 'the remaining nodes accept commands');
  const late = sent.filter(
    ({ commandId, sentMs }) => (arrivedMs.get(commandId) ?? 0) - sentMs > TTL_MS + 1000,
  );
  assert.deepEqual(late, [], 'started after its expiry');
  process.stdout.write(`  ${good.length} acknowledged, ${bad.length} failed (${[...reasons].join(', ')})\n`);
});

test('every cart reconnects after a node is killed, and Stop all reaches every cart', async () => {
  await allOnline();
  assert.equal(fleet.connected(), COUNT);
  // On a slow machine, a cart may confirm after the time limit of the response (207); it must stop nevertheless.
  const { status } = await gateway.call('POST', '/estop');
  assert.ok(status === 200 || status === 207, `status ${status}`);
  const stopped = fleet.carts.map(
    (cart) =>
      new Promise<void>((resolve) => {
        const check = (): void => {
          if (cart.ownCart().safety.emergencyStop !== 'NONE') resolve();
        };
        cart.onOwnChange(check);
        check();
      }),
  );
  await within(Promise.all(stopped), 'every cart is stopped');
});

if (hasRabbitmq) test.run();
else process.stdout.write('SKIPPED: a cluster of RabbitMQ nodes (rabbitmq-server is not installed)\n');
