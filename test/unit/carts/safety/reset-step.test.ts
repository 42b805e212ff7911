import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CartView } from '../../../../src/carts/command/model.js';
import { RemoteCartRegistry } from '../../../../src/carts/fleet/remote-carts.js';
import { MqttAgent } from '../../../../src/carts/mqtt/agent.js';
import { mayReset, safetySentence } from '../../../../src/console/labels/labels.js';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { CartHarness, quietLog } from '../../../helpers/cart-harness.js';
import { MemoryBroker } from '../../../helpers/memory-bus.js';
import { identityOf, LIMITS } from '../mqtt/test-fleet.js';

const test = suite('reset steps');

/**
 * Returns the code of the next reset step, whether a page is allowed to reset the cart, and the part of the
 * status line after the time.
 */
function next(cart: CartView): [code: string | undefined, isOffered: boolean, sentence: string] {
  const sentence = safetySentence(cart).replace(/^.*\d\d:\d\d:\d\d: /, '');
  return [cart.safety.resetStep?.code, mayReset(cart), sentence];
}

test('a stop triggered at the cart requires a released button, a healthy input and a reset at the cart', async () => {
  const harness = await CartHarness.ready();
  assert.equal(harness.dispatcher.ownCart().safety.resetStep, undefined);
  harness.pins.press();
  await harness.run(50);
  const release = 'release the E-stop button on the cart, then press the reset button';
  assert.deepEqual(next(harness.dispatcher.ownCart()), ['RELEASE_BUTTON', false, release]);
  harness.pins.release();
  await harness.run(50);
  const wait = 'wait until the E-stop input has been healthy for 1 s';
  assert.deepEqual(next(harness.dispatcher.ownCart()), ['WAIT', false, wait]);
  await harness.run(1000);
  const press = 'press the reset button on the cart';
  assert.deepEqual(next(harness.dispatcher.ownCart()), ['PRESS_RESET_ON_CART', false, press]);
  harness.controller.pressReset();
  await harness.run(600);
  assert.equal(harness.dispatcher.ownCart().safety.mayMove, true);
  await harness.close();
});

test('a page can reset a stop triggered at the cart if the settings allow it and all other steps are complete', async () => {
  const harness = await CartHarness.ready((settings) => {
    settings.gpio.estop.allowRemoteReset = true;
  });
  harness.pins.press();
  await harness.run(50);
  const release = 'release the E-stop button on the cart, then hold Reset';
  assert.deepEqual(next(harness.dispatcher.ownCart()), ['RELEASE_BUTTON', false, release]);
  harness.pins.release();
  await harness.run(1100);
  const hold = 'make sure that the way is clear, then hold Reset';
  assert.deepEqual(next(harness.dispatcher.ownCart()), ['HOLD_RESET', true, hold]);
  assert.match(
    safetySentence(harness.dispatcher.ownCart(), undefined, false),
    /: an operator must reset the cart when/,
  );
  harness.wire.unplug();
  await harness.run(50);
  assert.deepEqual(next(harness.dispatcher.ownCart()), [
    'CONNECT_CONTROLLER',
    false,
    'connect the motor controller first',
  ]);
  await harness.close();
});

test('requires the setting that permits page resets when the controller does not have a reset button', async () => {
  const harness = await CartHarness.ready((settings) => {
    settings.serial.driver = 'sabertooth';
    settings.safety.allowNoWatchdog = true;
  });
  harness.pins.press();
  harness.pins.release();
  await harness.run(1100);
  assert.deepEqual(next(harness.dispatcher.ownCart()).slice(0, 2), ['ALLOW_REMOTE_RESET', false]);
  await harness.close();
});

for (const isAuthenticated of [true, false]) {
  const by = isAuthenticated ? 'Anna (gateway gw-1)' : 'gateway gw-1';
  const where = isAuthenticated ? 'the broker authenticates clients' : 'any client may connect to the broker';
  test(`attributes a stop over MQTT to ${by} when ${where}`, async () => {
    const broker = new MemoryBroker();
    const harness = await CartHarness.ready();
    const shared = { clock: harness.clock, log: quietLog };
    const identity = { ...identityOf(2), gatewayId: 'gw-2' };
    const agent = new MqttAgent({
      ...shared,
      bus: broker.client(),
      dispatcher: harness.dispatcher,
      identity,
      factsheet: () => ({}),
      authenticated: () => isAuthenticated,
      rules: () => ({ limits: LIMITS, kinematics: harness.settings.kinematics }),
    });
    const peers = new RemoteCartRegistry({
      ...shared,
      bus: broker.client(),
      identity: identityOf(1),
      allowUnknown: () => false,
      known: () => [{ cartID: 2, name: 'Cart 2' }],
    });
    peers.start();
    agent.start();
    await peers.stop(2, 'estop', { source: 'http', gatewayId: 'gw-1', actor: userActor('Anna') });
    await harness.run(300);
    assert.equal(textOf(harness.dispatcher.ownCart().safety.stoppedBy ?? ''), by);
    assert.equal(textOf(peers.cart(2)?.safety.stoppedBy ?? ''), by);
    assert.deepEqual(next(peers.cart(2) as CartView).slice(0, 2), ['HOLD_RESET', true]);
    peers.close();
    void agent.close();
    await harness.close();
  });
}

test.run();
