import assert from 'node:assert/strict';
import { test } from 'uvu';
import { CartHarness, OPERATOR, PEER } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

const jsonLines = ({ serial }: { serial: { driver: string } }): void => {
  serial.driver = 'json-lines';
};

// Fault case 11
test('the E-stop stays latched after the button is released, and a reset starts no motion', async () => {
  const harness = await CartHarness.ready((settings) => {
    settings.gpio.estop.allowRemoteReset = true;
  });
  harness.move(3000);
  harness.move(500, 0, { onBusy: 'queue', ttlMs: 10_000 });
  await harness.run(500);
  harness.pins.press();
  await harness.run(100);
  harness.pins.release();
  await harness.run(1100);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  const reset = harness.dispatcher.resetOwn(OPERATOR);
  await harness.run(100);
  await reset;
  const { motions } = harness.controller.snapshot();
  await harness.run(2000);
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  assert.equal(harness.controller.snapshot().motions, motions);
  assert.equal(harness.controller.snapshot().speed, 0);
  assert.equal(harness.pins.enable, false);
  harness.move(100);
  assert.equal(harness.controller.snapshot().motions, motions + 1);
  await harness.close();
});

// Fault case 12
test('rejects every reset while the E-stop button is pressed, and afterwards accepts only a reset at the cart', async () => {
  const harness = await CartHarness.ready();
  harness.pins.press();
  await harness.run(50);
  await assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  harness.pins.release();
  await harness.run(500);
  await assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  await harness.run(600);
  await assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_FORBIDDEN'));
  const local = harness.cart.reset('the reset button on the cart', true);
  await harness.run(100);
  await local;
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  await harness.close();
});

// Fault case 12
test('the reset button on the cart clears a stop triggered at the cart and starts no motion', async () => {
  const harness = await CartHarness.ready();
  harness.controller.pressEstop();
  await harness.run(50);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  harness.controller.pressReset();
  await harness.run(50);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL', 'its button is still pressed');
  harness.controller.releaseEstop();
  const { motions } = harness.controller.snapshot();
  harness.controller.pressReset();
  await harness.run(1000);
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  assert.equal(harness.latch.latch.kind, 'NONE');
  assert.deepEqual([harness.pins.enable, harness.controller.snapshot().motions], [false, motions]);
  harness.move(100);
  assert.equal(harness.controller.snapshot().motions, motions + 1);
  await harness.close();
});

// Fault case 12
test("the cart's reset button works only after 1 s of healthy E-stop input, and never for a remote stop", async () => {
  const harness = await CartHarness.ready();
  harness.pins.press();
  await harness.run(50);
  harness.pins.release();
  await harness.run(500);
  harness.controller.pressReset();
  await harness.run(100);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  assert.equal(harness.controller.snapshot().state, 'ESTOP', 'the controller is latched again');
  await harness.run(600);
  harness.controller.pressReset();
  await harness.run(100);
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  harness.dispatcher.stopOwn('estop', OPERATOR);
  await harness.run(1500);
  harness.controller.pressReset();
  await harness.run(100);
  assert.equal(harness.cart.view().safety.emergencyStop, 'REMOTE');
  assert.equal(harness.controller.snapshot().state, 'ESTOP');
  await harness.close();
});

// Fault case 12
test('the reset button on the cart does not clear a stop that arrives after the button press', async () => {
  const harness = await CartHarness.ready();
  harness.controller.pressEstop();
  await harness.run(50);
  harness.controller.releaseEstop();
  await harness.run(1500);
  const kinds: string[] = [];
  harness.cart.onChange(() => kinds.push(harness.cart.view().safety.emergencyStop));
  // The controller's report of the button press is in transit when an operator presses Stop on a page.
  harness.controller.pressReset();
  harness.dispatcher.stopOwn('estop', OPERATOR);
  await harness.run(1000);
  assert.deepEqual(new Set(kinds), new Set(['MANUAL']));
  assert.equal(harness.controller.snapshot().state, 'ESTOP');
  harness.controller.pressReset();
  await harness.run(100);
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE', 'the next press counts');
  await harness.close();
});

// Fault case 12
test("a json-lines controller's reset button clears the stop, but a controller restart does not", async () => {
  const harness = await CartHarness.ready(jsonLines);
  for (const [what, act, kind, state] of [
    ['the button', () => harness.controller.pressReset(), 'NONE', 'IDLE'],
    ['a restart', () => harness.controller.reset(), 'MANUAL', 'ESTOP'],
  ] as const) {
    harness.controller.pressEstop();
    await harness.run(50);
    harness.controller.releaseEstop();
    await harness.run(1500);
    act();
    await harness.run(3000);
    assert.equal(harness.cart.view().safety.emergencyStop, kind, what);
    assert.equal(harness.latch.latch.kind, kind, what);
    assert.equal(harness.controller.snapshot().state, state, what);
  }
  await harness.close();
});

test('rejects a reset until the controller reports the stop', async () => {
  const harness = await CartHarness.ready();
  harness.move(2000);
  await harness.run(500);
  harness.dispatcher.stopOwn('estop', OPERATOR);
  const early = assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  await harness.run(50);
  await early;
  assert.equal(harness.cart.view().safety.emergencyStop, 'REMOTE');
  const reset = harness.dispatcher.resetOwn(OPERATOR);
  await harness.run(50);
  await reset;
  await harness.run(1000);
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  await harness.close();
});

// Fault case 12
test('pressing the E-stop button again during a reset leaves the E-stop latched', async () => {
  const harness = await CartHarness.ready((settings) => {
    settings.gpio.estop.allowRemoteReset = true;
  });
  harness.pins.press();
  await harness.run(20);
  harness.pins.release();
  await harness.run(1500);
  const reset = assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  harness.pins.press();
  await harness.run(50);
  await reset;
  harness.pins.release();
  await harness.run(1500);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  assert.equal(harness.latch.latch.kind, 'MANUAL');
  await harness.close();
});

test('rejects a reset while the controller is unreachable', async () => {
  const harness = await CartHarness.ready();
  harness.dispatcher.stopOwn('estop', OPERATOR);
  await harness.run(50);
  harness.wire.unplug();
  await harness.run(20);
  await assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  await harness.close();
});

test('combines concurrent resets into one reset', async () => {
  const harness = await CartHarness.ready();
  harness.dispatcher.stopOwn('estop', OPERATOR);
  await harness.run(1000);
  const recorded: string[] = [];
  harness.cart.onSafety(({ kind }) => void recorded.push(kind));
  const resets = Promise.all([harness.dispatcher.resetOwn(OPERATOR), harness.dispatcher.resetOwn(PEER)]);
  await harness.run(100);
  await resets;
  assert.equal(harness.wire.of('ESTOP_RESET').length, 1);
  assert.deepEqual(recorded, ['estop.reset']);
  await harness.close();
});

test.run();
