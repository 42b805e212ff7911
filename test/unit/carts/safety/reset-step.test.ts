import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CartView } from '../../../../src/carts/command/model.js';
import { RemoteCartRegistry } from '../../../../src/carts/fleet/remote-carts.js';
import { mayReset, safetySentence } from '../../../../src/carts/labels/labels.js';
import { TreeAgent } from '../../../../src/carts/mqtt/agent.js';
import { MemoryBroker } from '../../../helpers/memory-bus.js';
import { quietLog, Rig } from '../../../helpers/rig.js';
import { identityOf, LIMITS } from '../mqtt/site.js';

/** What a stopped cart says about the way to a reset, and who stopped it. */
const test = suite('the way to a reset');

/** What comes next, whether the button Reset is offered, and the sentence for a driver after its first clause. */
function next(cart: CartView): [code: string | undefined, isOffered: boolean, sentence: string] {
  const sentence = safetySentence(cart).replace(/^.*\d\d:\d\d:\d\d: /, '');
  return [cart.safety.resetStep?.code, mayReset(cart), sentence];
}

test('a stop made on the cart asks to release the button, to wait, and to press reset on the cart', async () => {
  const rig = await Rig.ready();
  assert.equal(rig.dispatcher.ownCart().safety.resetStep, undefined);
  rig.pins.press();
  await rig.run(50);
  const release = 'release the button on the cart, then press the reset button on the cart';
  assert.deepEqual(next(rig.dispatcher.ownCart()), ['RELEASE_BUTTON', false, release]);
  rig.pins.release();
  await rig.run(50);
  const wait = 'wait until the E-stop input has been healthy for 1 s';
  assert.deepEqual(next(rig.dispatcher.ownCart()), ['WAIT', false, wait]);
  await rig.run(1000);
  const press = 'press the reset button on the cart';
  assert.deepEqual(next(rig.dispatcher.ownCart()), ['PRESS_RESET_ON_CART', false, press]);
  rig.controller.pressReset();
  await rig.run(600);
  assert.equal(rig.dispatcher.ownCart().safety.mayMove, true);
  await rig.close();
});

test('a stop made on the cart offers Reset when the settings allow it, and only once it would be taken', async () => {
  const rig = await Rig.ready((settings) => {
    settings.gpio.estop.allowRemoteReset = true;
  });
  rig.pins.press();
  await rig.run(50);
  const release = 'release the button on the cart, then hold Reset';
  assert.deepEqual(next(rig.dispatcher.ownCart()), ['RELEASE_BUTTON', false, release]);
  rig.pins.release();
  await rig.run(1100);
  const hold = 'make sure that the way is clear, then hold Reset';
  assert.deepEqual(next(rig.dispatcher.ownCart()), ['HOLD_RESET', true, hold]);
  assert.match(safetySentence(rig.dispatcher.ownCart(), undefined, false), /: an operator resets it when/);
  rig.wire.unplug();
  await rig.run(50);
  assert.deepEqual(next(rig.dispatcher.ownCart()), [
    'CONNECT_CONTROLLER',
    false,
    'connect the motor controller first',
  ]);
  await rig.close();
});

test('a controller without a reset button asks for the setting that allows the reset from a page', async () => {
  const rig = await Rig.ready((settings) => {
    settings.serial.driver = 'sabertooth';
    settings.safety.allowNoWatchdog = true;
  });
  rig.pins.press();
  rig.pins.release();
  await rig.run(1100);
  assert.deepEqual(next(rig.dispatcher.ownCart()).slice(0, 2), ['ALLOW_REMOTE_RESET', false]);
  await rig.close();
});

for (const isAuthenticated of [true, false]) {
  const by = isAuthenticated ? 'Anna (gateway gw-1)' : 'gateway gw-1';
  const where = isAuthenticated ? 'the broker checks who is connected' : 'anybody may connect to the broker';
  test(`a cart stopped over MQTT was stopped by ${by} where ${where}`, async () => {
    const broker = new MemoryBroker();
    const rig = await Rig.ready();
    const shared = { clock: rig.clock, log: quietLog };
    const identity = { ...identityOf(2), gatewayId: 'gw-2' };
    const agent = new TreeAgent({
      ...{ ...shared, bus: broker.client(), dispatcher: rig.dispatcher, identity },
      ...{ factsheet: () => ({}), authenticated: () => isAuthenticated },
      rules: () => ({ limits: LIMITS, kinematics: rig.settings.kinematics }),
    });
    const peers = new RemoteCartRegistry({
      ...{ ...shared, bus: broker.client(), identity: identityOf(1), allowUnknown: () => false },
      known: () => [{ cartID: 2, name: 'Cart 2' }],
    });
    peers.start();
    agent.start();
    await peers.stop(2, 'estop', { source: 'http', gatewayId: 'gw-1', principal: 'Anna' });
    await rig.run(300);
    assert.equal(rig.dispatcher.ownCart().safety.stoppedBy, by);
    assert.equal(peers.cart(2)?.safety.stoppedBy, by);
    assert.deepEqual(next(peers.cart(2) as CartView).slice(0, 2), ['HOLD_RESET', true]);
    peers.close();
    void agent.close();
    await rig.close();
  });
}

test.run();
