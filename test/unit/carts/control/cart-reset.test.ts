import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Deframer, encodeFrame, FAULTS } from '../../../../src/carts/serial/codec/codec.js';
import type { Settings } from '../../../../src/settings/schema/schema.js';
import { userActor } from '../../../../src/shared/actor.js';
import { CartHarness, OPERATOR, PEER } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

const jsonLines = ({ serial }: { serial: { driver: string } }): void => {
  serial.driver = 'json-lines';
};

// Fault case 11
test('the E-stop stays latched after the button is released, and a reset does not start a motion', async () => {
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
  const local = harness.cart.estop.reset(userActor('the reset button on the cart'), true);
  await harness.run(100);
  await local;
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  await harness.close();
});

// Fault case 12
test('the reset button on the cart clears a stop triggered at the cart and does not start a motion', async () => {
  const harness = await CartHarness.ready();
  harness.controller.pressEstop();
  await harness.run(50);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  harness.controller.pressReset();
  await harness.run(200);
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
  await harness.run(200);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  assert.equal(harness.controller.snapshot().state, 'ESTOP', 'the controller is latched again');
  await harness.run(600);
  harness.controller.pressReset();
  await harness.run(200);
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  harness.dispatcher.stopOwn('estop', OPERATOR);
  await harness.run(1500);
  harness.controller.pressReset();
  await harness.run(200);
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
  harness.controller.holdReset(true);
  await harness.run(150);
  harness.controller.holdReset(false);
  harness.dispatcher.stopOwn('estop', OPERATOR);
  await harness.run(1000);
  assert.deepEqual(new Set(kinds), new Set(['MANUAL']));
  assert.equal(harness.controller.snapshot().state, 'ESTOP');
  harness.controller.pressReset();
  await harness.run(200);
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

/** Latches an E-stop from a page, and waits until a further stop cannot be taken for this one. */
async function stoppedFromPage(change?: (settings: Settings) => void): Promise<CartHarness> {
  const harness = await CartHarness.ready(change);
  harness.dispatcher.stopOwn('estop', OPERATOR);
  await harness.run(1500);
  assert.equal(harness.cart.view().safety.emergencyStop, 'REMOTE');
  return harness;
}

/** Removes the fault bit of CGW1 1.2, as if the controller were older. */
function withoutInputBit(bytes: Uint8Array): Uint8Array {
  let replaced = bytes;
  new Deframer((frame) => {
    if (frame.type !== 'STATUS') return;
    replaced = encodeFrame({ ...frame, faults: frame.faults & ~FAULTS.estopInput });
  }).push(bytes);
  return replaced;
}

for (const [what, press, change] of [
  ["the controller's button", ({ controller }) => controller.pressEstop(), undefined],
  ["an older controller's button", ({ controller }) => controller.pressEstop(), undefined],
  ["a json-lines controller's button", ({ controller }) => controller.pressEstop(), jsonLines],
  ["the gateway's button", ({ pins }) => pins.press(), undefined],
] as [string, (harness: CartHarness) => void, ((settings: Settings) => void) | undefined][]) {
  // Fault case 60
  test(`a press of ${what} while a stop from a page is latched requires a reset at the cart`, async () => {
    const harness = await stoppedFromPage(change);
    if (what.includes('older')) harness.wire.replace(withoutInputBit);
    const events: string[] = [];
    harness.cart.onSafety(({ kind, latch }) => void events.push(`${kind} ${latch ?? ''}`));
    press(harness);
    await harness.run(600);
    assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
    assert.equal(harness.latch.latch.kind, 'MANUAL');
    assert.deepEqual(events, ['estop.latched MANUAL']);
    harness.pins.release();
    harness.controller.releaseEstop();
    await harness.run(1500);
    await assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_FORBIDDEN'));
    assert.equal(harness.controller.snapshot().state, 'ESTOP');
    harness.controller.pressReset();
    await harness.run(1000);
    assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
    const { motions } = harness.controller.snapshot();
    assert.deepEqual([harness.pins.enable, motions], [false, 0]);
    await harness.close();
  });
}

// Fault case 60
test("a 10 ms press of the controller's button while a stop from a page is latched requires a reset at the cart", async () => {
  const harness = await stoppedFromPage();
  harness.controller.pressEstop();
  await harness.run(10);
  harness.controller.releaseEstop();
  await harness.run(50);
  await assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_FORBIDDEN'));
  await harness.close();
});

// Fault case 60
test("a reset in progress from a page does not clear a press of the controller's button", async () => {
  const harness = await stoppedFromPage();
  const reset = assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_REFUSED'));
  harness.controller.pressEstop();
  harness.controller.releaseEstop();
  await harness.run(1000);
  await reset;
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  assert.equal(harness.controller.snapshot().state, 'ESTOP');
  await harness.close();
});

test('repeated stops from pages can still be reset from a page', async () => {
  const harness = await CartHarness.ready();
  harness.wire.replace(withoutInputBit);
  for (const waitMs of [20, 700, 3000, 50]) {
    harness.dispatcher.stopOwn('estop', OPERATOR);
    await harness.run(waitMs);
  }
  const reset = harness.dispatcher.resetOwn(OPERATOR);
  await harness.run(100);
  await reset;
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  await harness.close();
});

// Fault case 59
test('a glitch on the reset input of the controller does not reset the stop', async () => {
  const harness = await CartHarness.ready();
  harness.controller.pressEstop();
  await harness.run(50);
  harness.controller.releaseEstop();
  await harness.run(1500);
  for (const heldMs of [5, 45, 95]) {
    harness.controller.holdReset(true);
    await harness.run(heldMs);
    harness.controller.holdReset(false);
    await harness.run(600);
    assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL', `${heldMs} ms`);
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
