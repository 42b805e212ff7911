import assert from 'node:assert/strict';
import { test } from 'uvu';
import { hasCode } from '../../../helpers/has-code.js';
import { OPERATOR, Rig } from '../../../helpers/rig.js';

const jsonLines = ({ serial }: { serial: { driver: string } }): void => {
  serial.driver = 'json-lines';
};

// Fault case 11
test('the emergency stop stays latched after the button is released, and a reset moves nothing', async () => {
  const rig = await Rig.ready((settings) => {
    settings.gpio.estop.allowRemoteReset = true;
  });
  rig.move(3000);
  rig.move(500, 0, { onBusy: 'queue', ttlMs: 10_000 });
  await rig.run(500);
  rig.pins.press();
  await rig.run(100);
  rig.pins.release();
  await rig.run(1100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  const reset = rig.dispatcher.resetOwn(OPERATOR);
  await rig.run(100);
  await reset;
  const { motions } = rig.controller.snapshot();
  await rig.run(2000);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  assert.equal(rig.controller.snapshot().motions, motions);
  assert.equal(rig.controller.snapshot().speed, 0);
  assert.equal(rig.pins.enable, false);
  rig.move(100);
  assert.equal(rig.controller.snapshot().motions, motions + 1);
  await rig.close();
});

// Fault case 12
test('a reset is refused while the button is pressed, and from a page for a stop made on the cart', async () => {
  const rig = await Rig.ready();
  rig.pins.press();
  await rig.run(50);
  await assert.rejects(rig.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  rig.pins.release();
  await rig.run(500);
  await assert.rejects(rig.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  await rig.run(600);
  await assert.rejects(rig.dispatcher.resetOwn(OPERATOR), hasCode('RESET_FORBIDDEN'));
  const local = rig.cart.reset('the reset button on the cart', true);
  await rig.run(100);
  await local;
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  await rig.close();
});

// Fault case 12
test('the reset button on the cart clears a stop made on the cart and moves nothing', async () => {
  const rig = await Rig.ready();
  rig.controller.pressEstop();
  await rig.run(50);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  rig.controller.pressReset();
  await rig.run(50);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL', 'its button is still pressed');
  rig.controller.releaseEstop();
  const { motions } = rig.controller.snapshot();
  rig.controller.pressReset();
  await rig.run(1000);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  assert.equal(rig.latch.latch.kind, 'NONE');
  assert.deepEqual([rig.pins.enable, rig.controller.snapshot().motions], [false, motions]);
  rig.move(100);
  assert.equal(rig.controller.snapshot().motions, motions + 1);
  await rig.close();
});

// Fault case 12
test('the reset button on the cart has no effect until the input is healthy for 1 s, nor on a remote stop', async () => {
  const rig = await Rig.ready();
  rig.pins.press();
  await rig.run(50);
  rig.pins.release();
  await rig.run(500);
  rig.controller.pressReset();
  await rig.run(100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  assert.equal(rig.controller.snapshot().state, 'ESTOP', 'the controller is latched again');
  await rig.run(600);
  rig.controller.pressReset();
  await rig.run(100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  rig.dispatcher.stopOwn('estop', OPERATOR);
  await rig.run(1500);
  rig.controller.pressReset();
  await rig.run(100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'REMOTE');
  assert.equal(rig.controller.snapshot().state, 'ESTOP');
  await rig.close();
});

// Fault case 12
test('the reset button on the cart does not clear a stop that arrives after the press', async () => {
  const rig = await Rig.ready();
  rig.controller.pressEstop();
  await rig.run(50);
  rig.controller.releaseEstop();
  await rig.run(1500);
  const kinds: string[] = [];
  rig.cart.onChange(() => kinds.push(rig.cart.view().safety.emergencyStop));
  // What the controller says of its button is on the way when somebody presses stop on a page.
  rig.controller.pressReset();
  rig.dispatcher.stopOwn('estop', OPERATOR);
  await rig.run(1000);
  assert.deepEqual(new Set(kinds), new Set(['MANUAL']));
  assert.equal(rig.controller.snapshot().state, 'ESTOP');
  rig.controller.pressReset();
  await rig.run(100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE', 'the next press counts');
  await rig.close();
});

// Fault case 12
test('a json-lines controller clears the stop by its reset button, not by a restart', async () => {
  const rig = await Rig.ready(jsonLines);
  for (const [what, act, kind, state] of [
    ['the button', () => rig.controller.pressReset(), 'NONE', 'IDLE'],
    ['a restart', () => rig.controller.reset(), 'MANUAL', 'ESTOP'],
  ] as const) {
    rig.controller.pressEstop();
    await rig.run(50);
    rig.controller.releaseEstop();
    await rig.run(1500);
    act();
    await rig.run(3000);
    assert.equal(rig.cart.view().safety.emergencyStop, kind, what);
    assert.equal(rig.latch.latch.kind, kind, what);
    assert.equal(rig.controller.snapshot().state, state, what);
  }
  await rig.close();
});

test('a reset is refused until the controller reports the stop', async () => {
  const rig = await Rig.ready();
  rig.move(2000);
  await rig.run(500);
  rig.dispatcher.stopOwn('estop', OPERATOR);
  const early = assert.rejects(rig.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  await rig.run(50);
  await early;
  assert.equal(rig.cart.view().safety.emergencyStop, 'REMOTE');
  const reset = rig.dispatcher.resetOwn(OPERATOR);
  await rig.run(50);
  await reset;
  await rig.run(1000);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  await rig.close();
});

// Fault case 12
test('pressing the button again during a reset keeps the latch', async () => {
  const rig = await Rig.ready((settings) => {
    settings.gpio.estop.allowRemoteReset = true;
  });
  rig.pins.press();
  await rig.run(20);
  rig.pins.release();
  await rig.run(1500);
  const reset = assert.rejects(rig.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  rig.pins.press();
  await rig.run(50);
  await reset;
  rig.pins.release();
  await rig.run(1500);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  assert.equal(rig.latch.latch.kind, 'MANUAL');
  await rig.close();
});

test('a reset is refused while the controller is unreachable', async () => {
  const rig = await Rig.ready();
  rig.dispatcher.stopOwn('estop', OPERATOR);
  await rig.run(50);
  rig.wire.unplug();
  await rig.run(20);
  await assert.rejects(rig.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  await rig.close();
});

test.run();
