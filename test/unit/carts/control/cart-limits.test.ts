import assert from 'node:assert/strict';
import { test } from 'uvu';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

// Fault case 15
test('stops the cart with LOOP_LAG when the control loop runs late', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.clock.stall(400);
  await harness.run(60);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'LOOP_LAG');
  await harness.run(1500);
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

test('a hot motor blocks the next move, and a hotter motor stops the current move', async () => {
  const harness = await CartHarness.ready();
  harness.controller.fault('hot', true, 85);
  await harness.run(600);
  assert.throws(() => harness.move(100), hasCode('SAFETY_UNAVAILABLE'));
  harness.controller.fault('hot', false);
  await harness.run(600);
  const command = harness.move(5000);
  await harness.run(1000);
  harness.controller.fault('hot', true, 95);
  await harness.run(300);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'PROTECTIVE_STOP');
  await harness.run(1500);
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

test('rejects the 21st command within a second, unless it is a stop', async () => {
  const harness = await CartHarness.ready();
  for (let count = 0; count < 20; count++) harness.move(100 + count);
  assert.throws(() => harness.move(99), hasCode('RATE'));
  harness.move(0);
  await harness.close();
});

test('sends heartbeats every 100 ms, regardless of motion', async () => {
  const harness = await CartHarness.ready();
  harness.wire.sent.length = 0;
  await harness.run(1000);
  const idle = harness.wire.of('HEARTBEAT').length;
  harness.move(2000);
  harness.wire.sent.length = 0;
  await harness.run(1000);
  const moving = harness.wire.of('HEARTBEAT').length;
  assert.ok(idle >= 9 && idle <= 11, `${idle} idle`);
  assert.ok(moving >= 9 && moving <= 11, `${moving} moving`);
  await harness.close();
});

test('sends a heartbeat early when the next iteration of the control loop would be too late', async () => {
  const harness = await CartHarness.ready();
  const { clock, wire } = harness;
  const beats = (): number => wire.of('HEARTBEAT').length;
  const before = beats();
  while (beats() === before) clock.advance(1);
  // The next iteration is 36 ms late, and the iteration after it is due 136 ms after the heartbeat.
  clock.stall(86);
  clock.advance(0);
  assert.equal(beats(), before + 2);
  await harness.close();
});

test('invalid settings block motion with CONFIG_INVALID', async () => {
  const harness = await CartHarness.ready();
  harness.settingsInvalidReason = 'the section limits of variables.json is not valid';
  assert.throws(() => harness.move(100), hasCode('CONFIG_INVALID'));
  await harness.close();
});

test('a gateway update blocks motion with UPDATE_RUNNING, but does not block stops and resets', async () => {
  const harness = await CartHarness.ready();
  harness.softwareBlock = 'the gateway is being updated';
  assert.throws(() => harness.move(100), hasCode('UPDATE_RUNNING'));
  harness.cart.stop('estop', OPERATOR.actor);
  await harness.run(100);
  await harness.cart.stopAck.confirmed();
  assert.throws(() => harness.move(100), hasCode('ESTOP_ACTIVE'));
  const reset = harness.dispatcher.resetOwn(OPERATOR);
  await harness.run(500);
  await reset;
  harness.softwareBlock = '';
  harness.move(100);
  await harness.close();
});

test('an acknowledged stop counts only in the session in which it was acknowledged', async () => {
  const harness = await CartHarness.ready();
  const { cart } = harness;
  assert.equal(cart.stopAck.isAcknowledged, false);
  cart.stop('halt', OPERATOR.actor);
  assert.equal(cart.stopAck.isAcknowledged, false);
  await harness.run(200);
  assert.equal(cart.stopAck.isAcknowledged, true);
  harness.link.restart();
  await harness.run(2000);
  assert.equal(harness.link.ready, true);
  assert.equal(cart.stopAck.isAcknowledged, false);
  await harness.close();
});

test.run();
