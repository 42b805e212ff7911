import assert from 'node:assert/strict';
import { test } from 'uvu';
import { errorsOf } from '../../../../src/carts/mqtt/messages/state-errors.js';
import { userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';

/** Returns a cart whose contactor follows the enable output until the test sets `held`. */
async function wired(): Promise<CartHarness & { held: boolean | undefined }> {
  const harness = Object.assign(await CartHarness.ready(), { held: undefined as boolean | undefined });
  const { pins } = harness;
  harness.settings.gpio.enable.mode = 'level';
  pins.readPowered = () => harness.held ?? pins.enable;
  return harness;
}

// Fault case 41
test('a welded contactor latches a stop, raises a FATAL fault and blocks the reset', async () => {
  const harness = await wired();
  harness.settings.gpio.estop.allowRemoteReset = true;
  harness.move(100);
  await harness.run(200);
  harness.held = true;
  harness.cart.stop('halt', userActor('a test'));
  await harness.run(3000);
  const { safety, faults } = harness.cart.view();
  assert.equal(safety.emergencyStop, 'MANUAL');
  assert.match(textOf(safety.stoppedBy ?? ''), /still have power .* welded/);
  assert.deepEqual(
    faults.map(({ level }) => level),
    ['FATAL'],
  );
  assert.equal(errorsOf(harness.cart.view())[0]?.errorLevel, 'FATAL');
  assert.equal(harness.latch.latch.kind, 'MANUAL');
  await assert.rejects(harness.dispatcher.resetOwn(OPERATOR), (error: GatewayError) => {
    assert.match(error.message, /welded/);
    return error.code === 'RESET_REFUSED';
  });

  harness.held = undefined;
  await harness.run(100);
  assert.deepEqual(harness.cart.view().faults, []);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  const reset = harness.dispatcher.resetOwn(OPERATOR);
  await harness.run(100);
  await reset;
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  await harness.close();
});

// Fault case 41
test('a contactor that stays open during a move latches a stop and switches the motors off', async () => {
  const harness = await wired();
  harness.held = false;
  const command = harness.move(3000);
  await harness.run(500);
  assert.equal(command.state, 'FAILED');
  assert.match(textOf(harness.cart.view().safety.stoppedBy ?? ''), /no power .* did not close/);
  assert.equal(harness.pins.enable, false);
  await harness.close();
});

// Fault case 41
test('a contactor delay of 200 ms or a late control loop does not raise a fault', async () => {
  const harness = await wired();
  harness.held = true;
  await harness.run(200);
  harness.held = undefined;
  await harness.run(50);
  harness.held = true;
  harness.clock.stall(2000);
  await harness.run(100);
  harness.held = undefined;
  await harness.run(1000);
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  await harness.close();
});

// Fault case 41
test('treats a read-back input that becomes unreadable as a fault', async () => {
  const harness = await wired();
  harness.pins.readPowered = () => {
    throw new GatewayError('SAFETY_UNAVAILABLE', 'EIO: i/o error');
  };
  await harness.run(1000);
  assert.match(textOf(harness.cart.view().safety.stoppedBy ?? ''), /cannot be read: EIO/);
  await harness.close();
});

test('rejects motion and returns a hint when the E-stop input has never been readable', async () => {
  const harness = new CartHarness();
  harness.pins.fault = new GatewayError('SAFETY_UNAVAILABLE', 'no GPIO chip', { hint: 'Set gpio.chip.' });
  await harness.cart.start();
  await harness.run(100);
  assert.throws(
    () => harness.move(100),
    (error: GatewayError) => error.info.hint === 'Set gpio.chip.',
  );
  await harness.close();
});

test.run();
