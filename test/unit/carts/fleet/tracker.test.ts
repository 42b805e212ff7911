import assert from 'node:assert/strict';
import { test } from 'uvu';
import { FleetTracker } from '../../../../src/carts/fleet/tracker.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { MemoryBroker } from '../../../helpers/memory-bus.js';
import { identityOf } from '../mqtt/test-fleet.js';

const LISTED = 60_000;

async function setUp() {
  const broker = new MemoryBroker();
  const tracker = new FleetTracker({
    bus: broker.client(),
    identity: identityOf(1),
    clock: new FakeClock(),
    log: quietLog,
    known: () => [{ cartID: LISTED, name: 'Tow cart' }],
    allowUnknown: () => true,
  });
  tracker.start();
  const sender = broker.client();
  const announce = async (cartID: number): Promise<void> => {
    const ids = { headerId: 1, cartID, gatewayId: `gw-${cartID}`, sessionId: `session-${cartID}` };
    const topic = (name: string) => `cart/v1/site1/${cartID}/${name}`;
    await sender.publish(topic('connection'), JSON.stringify({ ...ids, connectionState: 'ONLINE' }), {
      qos: 0,
    });
    const state = { ...ids, driving: false, safetyState: { activeEmergencyStop: 'NONE' } };
    await sender.publish(topic('state'), JSON.stringify(state), { qos: 0 });
  };
  for (let cartId = 2; cartId < 2102; cartId += 1) await announce(cartId);
  return { tracker, announce };
}

test('tracks at most 2,000 carts that are missing from the settings', async () => {
  const { tracker } = await setUp();
  const unlisted = tracker.ids().filter((cartId) => cartId !== LISTED);
  assert.deepEqual([unlisted.length, unlisted[0], unlisted.at(-1)], [2000, 2, 2001]);
  tracker.close();
});

test('tracks a cart in the settings while 2,000 other carts are tracked', async () => {
  const { tracker, announce } = await setUp();
  assert.equal(tracker.cart(LISTED).present, false);
  await announce(LISTED);
  assert.equal(tracker.cart(LISTED).present, true);
  tracker.close();
});

test.run();
