import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import { CartHarness, OPERATOR, PEER } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

test('does not retry a move after a stop, even when the first frame of the move was lost', async () => {
  for (const kind of ['stop', 'halt', 'estop'] as const) {
    const harness = await CartHarness.ready();
    harness.controller.fault('mute', true);
    const command = harness.move(1000);
    await harness.run(10);
    harness.dispatcher.stopOwn(kind, OPERATOR);
    harness.controller.fault('mute', false);
    await harness.run(700);
    assert.equal(harness.wire.of('MOVE').length, 1, kind);
    assert.equal(command.final, true);
    await harness.close();
  }
});

test('a command with distance 0 and angle 0 stops the cart, regardless of its source', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(3000);
  await harness.run(500);
  const stop = harness.move(0, 0, {}, PEER);
  assert.equal(stop.state, 'ACCEPTED');
  assert.equal(command.state, 'CANCELLED');
  assert.equal(harness.wire.of('STOP').length, 1);
  await harness.run(5);
  assert.equal(stop.state, 'FINISHED');
  await harness.close();
});

test('closing the cart ramps the speed down, switches the motors off and leaves no timers running', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(5000);
  await harness.run(1000);
  await harness.close();
  assert.equal(command.state, 'CANCELLED');
  assert.ok(harness.wire.of('STOP').some((frame) => frame.type === 'STOP' && frame.category === 1));
  assert.equal(harness.pins.enable, false);
  assert.equal(harness.clock.timers, 0);
});

test('a halt switches the motors off at standstill, or immediately if the cart is stationary', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.dispatcher.stopOwn('halt', OPERATOR);
  assert.equal(command.state, 'CANCELLED');
  const startMs = harness.clock.now();
  while (harness.cart.busy) {
    await harness.run(5);
  }
  // Decelerating from 300 mm/s at 500 mm/s² takes 0.6 s. The cart is idle after the next report, well before
  // the motors are switched off at 1.5 s.
  const tookMs = harness.clock.now() - startMs;
  assert.ok(tookMs > 500 && tookMs < 1000, `${tookMs} ms`);
  harness.pins.levels.length = 0;
  await harness.run(500);
  assert.equal(harness.pins.enable, false);
  assert.ok(!harness.pins.levels.includes(true));
  assert.equal(harness.controller.snapshot().enable, false);

  const standing = await CartHarness.ready();
  standing.move(50);
  await standing.run(2000);
  standing.dispatcher.stopOwn('halt', OPERATOR);
  assert.equal(standing.pins.enable, false);
  standing.pins.levels.length = 0;
  await standing.run(500);
  assert.ok(!standing.pins.levels.includes(true));
  await harness.close();
  await standing.close();
});

test('a halt switches the motors off after 1.5 s even when the ramp takes longer', async () => {
  const harness = await CartHarness.ready(({ limits }) => {
    limits.decelMmps2 = 100;
  });
  harness.move(5000);
  await harness.run(1000);
  harness.dispatcher.stopOwn('halt', OPERATOR);
  await harness.run(1450);
  harness.pins.levels.length = 0;
  await harness.run(50);
  assert.ok(harness.pins.levels.includes(true) || harness.pins.enable);
  await harness.run(10);
  assert.equal(harness.pins.enable, false);
  assert.ok(harness.controller.snapshot().speed > 0);
  await harness.close();
});

test('an unconfirmed stop ends the controller session, which makes the controller stop the cart', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.controller.fault('mute', true);
  harness.dispatcher.stopOwn('stop', OPERATOR);
  await harness.run(200);
  assert.equal(command.state, 'CANCELLED');
  assert.equal(harness.link.driver, undefined);
  // The gateway sends three stop frames, and a last one before the link closes.
  assert.equal(harness.wire.of('STOP').length, 4);
  await harness.run(2500);
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

test('a stop with a reused commandId still stops the cart', async () => {
  const harness = await CartHarness.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000009';
  const command = harness.move(3000, 0, { commandId });
  await harness.run(500);
  assert.throws(() => harness.move(0, 0, { commandId }), hasCode('ID_REUSED'));
  assert.equal(command.state, 'CANCELLED');
  await harness.close();
});

// Fault case 67
test('a stop that is repeated with the same commandId reports its own confirmation', async () => {
  const harness = await CartHarness.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000009';
  const stop = (): Command => harness.move(0, 0, { commandId });
  const first = stop();
  await harness.run(50);
  assert.equal(first.state, 'FINISHED');
  harness.wire.unplug();
  await harness.run(10);
  const repeated = await stop().reached('ack');
  assert.deepEqual([repeated.state, repeated.reason?.code], ['FAILED', 'SERIAL_DOWN']);
  assert.equal(harness.dispatcher.find(commandId), repeated);
  await harness.close();
});

test('a stop that is repeated before its confirmation sends a second stop frame and publishes its end only once', async () => {
  const harness = await CartHarness.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000009';
  const ends: string[] = [];
  harness.dispatcher.onOwnCommand(({ final, state }) => final && ends.push(state));
  const sent = harness.wire.of('STOP').length;
  const both = [harness.move(0, 0, { commandId }), harness.move(0, 0, { commandId })];
  await harness.run(50);
  assert.deepEqual(
    both.map(({ state }) => state),
    ['FINISHED', 'FINISHED'],
  );
  assert.equal(harness.wire.of('STOP').length - sent, 2);
  assert.deepEqual(ends, ['FINISHED']);
  await harness.close();
});

test('a latching stop that is repeated with the same press ID reports its own confirmation', async () => {
  const harness = await CartHarness.ready();
  const press = () => harness.dispatcher.stop(1, 'estop', { ...OPERATOR, pressId: 'press-1' });
  const first = press();
  await harness.run(50);
  assert.deepEqual((await first)[0]?.confirmed, true);
  harness.wire.unplug();
  await harness.run(10);
  const [repeated] = await press();
  assert.deepEqual([repeated?.confirmed, repeated?.code], [false, 'SERIAL_DOWN']);
  await harness.close();
});

test('a stop fails when it cannot be sent', async () => {
  const harness = await CartHarness.ready();
  harness.wire.unplug();
  await harness.run(10);
  const stop = await harness.move(0).reached('ack');
  assert.deepEqual([stop.state, stop.reason?.code], ['FAILED', 'SERIAL_DOWN']);
  await harness.close();
});

test('a stop with distance 0 and angle 0 fails when the controller does not acknowledge it', async () => {
  const harness = await CartHarness.ready();
  harness.controller.fault('mute', true);
  const stop = harness.move(0);
  await harness.run(200);
  assert.deepEqual([stop.state, stop.reason?.code], ['FAILED', 'SERIAL_ACK_TIMEOUT']);
  await harness.close();
});

test('a stop that waits for its acknowledgement is not cancelled when its session ends', async () => {
  const harness = await CartHarness.ready();
  const revoked: string[] = [];
  harness.log.warn = (event) => void revoked.push(event);
  harness.wire.lost = 'ACK';
  const body = { cartID: 1, distanceID: 0, angleID: 0 };
  const stop = harness.dispatcher.submit(body, OPERATOR, undefined, { id: 's1', isGood: () => false });
  await harness.run(55);
  assert.deepEqual([stop.state, revoked], ['ACCEPTED', []]);
  await harness.close();
});

test('the enable output stops pulsing when the motor power is cut', async () => {
  const harness = await CartHarness.ready();
  harness.pins.levels.length = 0;
  harness.move(2000);
  await harness.run(1000);
  const edges = harness.pins.levels.filter((level, at) => level !== harness.pins.levels[at - 1]).length;
  assert.ok(edges >= 18, `${edges} edges in a second`);
  harness.dispatcher.stopOwn('halt', OPERATOR);
  await harness.run(2000);
  harness.pins.levels.length = 0;
  await harness.run(1000);
  assert.ok(!harness.pins.levels.includes(true));
  await harness.close();
});

test('confirms a stop while the latch is still being saved to a slow disk', async () => {
  const harness = await CartHarness.ready();
  let release: () => void = () => undefined;
  harness.latch.save = () => new Promise((resolve) => (release = resolve));
  const estop = harness.dispatcher.stop(1, 'estop', OPERATOR);
  await harness.run(50);
  const answered: boolean[] = [];
  void harness.dispatcher.stop(1, 'stop', OPERATOR).then(([cart]) => answered.push(cart?.confirmed ?? false));
  await harness.run(50);
  assert.deepEqual(answered, [true]);
  release();
  await estop;
  await harness.close();
});

test.run();
