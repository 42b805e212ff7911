import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { type LightFleet, openLightFleet } from '../../src/compose/light-fleet.js';
import { systemClock } from '../../src/util/clock.js';
import { memoryLog, within } from '../mqtt/helpers.js';
import { GatewayProcess } from '../support/gateway.js';
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
let fleet: LightFleet;
const log = memoryLog();

test.before(async () => {
  cluster = await layRabbitmq(3);
  // As docs/fleet.md has it: without it the subscriptions of those who were on a node that is gone cannot be made again.
  const mirrored = JSON.stringify({ 'ha-mode': 'all', 'ha-sync-mode': 'automatic' });
  cluster.ctl('set_policy', 'fleet', '^mqtt-subscription-', mirrored, '--apply-to', 'queues');
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

const allOnline = async (): Promise<void> => {
  for (const cartID of IDS)
    await within(
      gateway.untilCart(cartID, ({ online }) => online),
      `cart ${cartID} is online`,
      60_000,
    );
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
  commandId: string;
  sentMs: number;
  status: number;
  code: string;
}

/** Four commands at a time, as fast as they are answered; one node dies while they go on. */
async function commandThrough(dying: () => Promise<void>): Promise<Sent[]> {
  const answers: Promise<Sent>[] = [];
  let death: Promise<void> | undefined;
  for (let n = 0; n < COMMANDS; n += 1) {
    const sentMs = performance.now();
    const answer = gateway
      .move(IDS[n % COUNT] ?? FIRST, 10, { ttlMs: TTL_MS })
      .then(({ status, body }) => ({ commandId: body.commandId, sentMs, status, code: body.code ?? '' }));
    answers.push(answer);
    if (n % 4 === 3) await answer;
    if (n === COMMANDS / 3) death = dying();
  }
  await death;
  return Promise.all(answers);
}

test('a node dies among commands: each is acknowledged or said to have failed, and none arrives stale', async () => {
  const arrivedMs = arrivals();
  const sent = await commandThrough(() => cluster.kill(1));
  assert.equal(sent.length, COMMANDS);
  assert.ok(log.events().includes('broker.lost'), 'some cart was on that node');
  const good = sent.filter(({ status }) => status === 200);
  const bad = sent.filter(({ status }) => status !== 200);
  const lost = good.filter(({ commandId }) => !arrivedMs.has(commandId));
  assert.deepEqual(lost, [], 'acknowledged, and never with its cart');
  const reasons = new Set(bad.map(({ code }) => code));
  for (const code of reasons) assert.match(code, /^(BROKER_DOWN|CART_OFFLINE|ACK_TIMEOUT|CART_RESTARTED)$/);
  assert.ok(good.length > 0, 'the nodes that live take commands');
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
