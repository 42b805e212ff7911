import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { openLightFleet, type SimulatedFleet } from '../../../src/gateway/simulation/fleet.js';
import { systemClock } from '../../../src/shared/clock.js';
import type { MessageBus } from '../../../src/shared/ports/ports.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { connected, Inbox, openBus, withCleanup, within } from '../../unit/carts/mqtt/test-bus.js';
import { hasRabbitmq, layRabbitmq, type Rabbitmq } from './rabbitmq.js';

/** The broker as three machines that are one: RabbitMQ with its MQTT plugin, behind one address. */
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
  cluster = await layRabbitmq(3);
  // Without it the subscriptions of those who were on a node that is gone cannot be made again.
  cluster.rights('policy');
  const settings = {
    mqtt: { broker: 'external', host: '127.0.0.1', port: cluster.port },
    safety: { allowUnknownCarts: true },
    simulation: { carts: [] },
  };
  gateway = await GatewayProcess.start(settings);
  fleet = await openLightFleet({
    ...{ first: FIRST, count: COUNT, fleet: 'site1', root: 'cart/v1', clock: systemClock, log },
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

/** When each command reached its cart, ms of this process's clock. */
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
 * Four commands at a time, as fast as they are answered; one node dies while they go on. A cart that refused gets its next
 * one when it is online again: otherwise all of them would be refused before anybody is back.
 */
async function commandThrough(dying: () => Promise<void>): Promise<Sent[]> {
  const sent: Sent[] = [];
  let death: Promise<void> | undefined;
  for (let n = 0; n < COMMANDS; n += 4) {
    const four = [n, n + 1, n + 2, n + 3].map((at) => IDS[at % COUNT] ?? FIRST);
    const answers = four.map((cartID) => command(cartID));
    if (n === COMMANDS / 3) death = dying();
    for (const answer of await Promise.all(answers)) {
      sent.push(answer);
      if (answer.status !== 200) await online(answer.cartID);
    }
  }
  await death;
  return sent;
}

async function command(cartID: number): Promise<Sent> {
  const sentMs = performance.now();
  const { status, body } = await gateway.move(cartID, 10, { ttlMs: TTL_MS });
  return { cartID, commandId: body.commandId, sentMs, status, code: body.code ?? '' };
}

/** A subscription is asked for and answered later: what is said before that is not heard. */
function sayUntilHeard(bus: MessageBus, topic: string, { messages }: Inbox): Promise<void> {
  const say = async (): Promise<void> => {
    while (!messages.some((message) => message.topic.endsWith(topic)))
      await bus.publish(`cart/v1/site1/${topic}`, '{}', { qos: 1 });
  };
  return within(say(), `${topic} is heard`);
}

test('rights: a cart speaks for itself alone, a gateway commands it', () =>
  withCleanup(async (later) => {
    cluster.rights('cart', '7', 'secret');
    cluster.rights('gateway', '1', 'secret');
    const login = async (username: string): Promise<MessageBus> => {
      const bus = await openBus(cluster.port, { username, password: 'secret' });
      later(() => bus.close());
      return bus;
    };
    const [cart, boss] = await Promise.all([login('cart-7'), login('gateway-1')]);
    const told = new Inbox(cart, 'cart/v1/site1/7/command');
    const toAll = new Inbox(cart, 'cart/v1/site1/_all/instantActions');
    const states = new Inbox(boss, 'cart/v1/site1/+/state');
    await sayUntilHeard(boss, '7/command', told);
    await sayUntilHeard(boss, '_all/instantActions', toAll);
    await sayUntilHeard(cart, '7/state', states);
    // MQTT 3.1.1 has no word for it: whoever goes too far is cut off.
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

test('a node dies among commands: each is acknowledged or said to have failed, and none arrives stale', async () => {
  await allOnline();
  const arrivedMs = arrivals();
  const sent = await commandThrough(() => cluster.kill(1));
  assert.equal(sent.length, COMMANDS);
  assert.ok(log.events().includes('broker.connection_lost'), 'some cart was on that node');
  const good = sent.filter(({ status }) => status === 200);
  const bad = sent.filter(({ status }) => status !== 200);
  const lost = good.filter(({ commandId }) => !arrivedMs.has(commandId));
  assert.deepEqual(lost, [], 'acknowledged, and never with its cart');
  const reasons = new Set(bad.map(({ code }) => code));
  for (const code of reasons) assert.match(code, /^(BROKER_DOWN|CART_OFFLINE|ACK_TIMEOUT|SUPERSEDED)$/);
  assert.ok(good.length > COMMANDS / 2, 'the nodes that live take commands');
  const late = sent.filter(
    ({ commandId, sentMs }) => (arrivedMs.get(commandId) ?? 0) - sentMs > TTL_MS + 1000,
  );
  assert.deepEqual(late, [], 'begun after its time');
  process.stdout.write(`  ${good.length} acknowledged, ${bad.length} refused (${[...reasons].join(', ')})\n`);
});

test('with a node gone everybody comes back on the others, and E-stop reaches every cart', async () => {
  await allOnline();
  assert.equal(fleet.connected(), COUNT);
  assert.equal((await gateway.call('POST', '/estop')).status, 200);
  const stopped = fleet.carts.map(
    (cart) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (cart.ownCart().safety.emergencyStop !== 'NONE') resolve();
        };
        cart.onOwnChange(look);
        look();
      }),
  );
  await within(Promise.all(stopped), 'every cart is stopped');
});

if (hasRabbitmq) test.run();
else process.stdout.write('SKIPPED: a cluster of RabbitMQ nodes (rabbitmq-server is not installed)\n');
