import assert from 'node:assert/strict';
import { test } from 'uvu';
import { errorsOf } from '../../../../src/carts/mqtt/messages/state-errors.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { OPERATOR, Rig } from '../../../helpers/rig.js';

/** A cart whose contactor follows the enable output until a test holds it. */
async function wired(): Promise<Rig & { held: boolean | undefined }> {
  const rig = Object.assign(await Rig.ready(), { held: undefined as boolean | undefined });
  const { pins } = rig;
  rig.settings.gpio.enable.mode = 'level';
  pins.readPowered = () => rig.held ?? pins.enable;
  return rig;
}

// Fault case 41
test('a contactor that stays closed latches, is FATAL, and is not reset before it opens', async () => {
  const rig = await wired();
  rig.settings.gpio.estop.allowRemoteReset = true;
  rig.move(100);
  await rig.run(200);
  rig.held = true;
  rig.cart.stop('halt', 'a test');
  await rig.run(3000);
  const { safety, faults } = rig.cart.view();
  assert.equal(safety.emergencyStop, 'MANUAL');
  assert.match(safety.stoppedBy ?? '', /still have power .* welded/);
  assert.deepEqual(
    faults.map(({ level }) => level),
    ['FATAL'],
  );
  assert.equal(errorsOf(rig.cart.view())[0]?.errorLevel, 'FATAL');
  assert.equal(rig.latch.latch.kind, 'MANUAL');
  await assert.rejects(rig.dispatcher.resetOwn(OPERATOR), (error: GatewayError) => {
    assert.match(error.message, /welded/);
    return error.code === 'RESET_REFUSED';
  });

  rig.held = undefined;
  await rig.run(100);
  assert.deepEqual(rig.cart.view().faults, []);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  const reset = rig.dispatcher.resetOwn(OPERATOR);
  await rig.run(100);
  await reset;
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  await rig.close();
});

// Fault case 41
test('a contactor that does not close latches in mid-move, with the motors switched off', async () => {
  const rig = await wired();
  rig.held = false;
  const command = rig.move(3000);
  await rig.run(500);
  assert.equal(command.state, 'FAILED');
  assert.match(rig.cart.view().safety.stoppedBy ?? '', /no power .* does not close/);
  assert.equal(rig.pins.enable, false);
  await rig.close();
});

// Fault case 41
test('200 ms to open or to close is no fault, and neither is a loop that was late', async () => {
  const rig = await wired();
  rig.held = true;
  await rig.run(200);
  rig.held = undefined;
  await rig.run(50);
  rig.held = true;
  rig.clock.stall(2000);
  await rig.run(100);
  rig.held = undefined;
  await rig.run(1000);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  await rig.close();
});

// Fault case 41
test('a read-back that can no longer be read is a disagreement', async () => {
  const rig = await wired();
  rig.pins.readPowered = () => {
    throw new GatewayError('SAFETY_UNAVAILABLE', 'EIO: i/o error');
  };
  await rig.run(1000);
  assert.match(rig.cart.view().safety.stoppedBy ?? '', /cannot be read: EIO/);
  await rig.close();
});

test('an input that could never be read tells what to do about it', async () => {
  const rig = new Rig();
  rig.pins.fault = new GatewayError('SAFETY_UNAVAILABLE', 'no GPIO chip', { hint: 'Set gpio.chip.' });
  await rig.cart.start();
  await rig.run(100);
  assert.throws(
    () => rig.move(100),
    (error: GatewayError) => error.info.hint === 'Set gpio.chip.',
  );
  await rig.close();
});

test.run();
