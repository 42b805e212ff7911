import assert from 'node:assert/strict';
import { test } from 'uvu';
import { type Text, textOf } from '../../../../src/shared/messages/message.js';
import { SimulatedController } from '../../../../src/simulator/controller/controller.js';
import { CartHarness } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';
import { MemoryLink } from '../../../helpers/memory-link.js';

// Fault case 23
test('sends HELLO again to a json-lines controller after the controller restarts', async () => {
  const harness = await CartHarness.ready(({ serial }) => {
    serial.driver = 'json-lines';
  });
  harness.controller.reset();
  await harness.run(3000);
  const command = harness.move(100);
  await harness.run(3000);
  assert.equal(command.state, 'FINISHED');
  await harness.close();
});

// Fault case 16
test('a command fails when the controller disconnects, and old frames are not sent after a reconnection', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(3000);
  await harness.run(1000);
  harness.wire.unplug();
  await harness.run(10);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'SERIAL_LOST');
  assert.throws(() => harness.move(100), hasCode('SERIAL_DOWN'));
  assert.equal(harness.pins.enable, false);
  await harness.run(10_000);
  harness.wire.sent.length = 0;
  harness.wire.plug();
  await harness.run(7000);
  assert.equal(harness.cart.view().link?.state, 'READY');
  assert.equal(harness.wire.sent[0]?.type, 'HELLO');
  assert.ok(
    harness.wire.sent.every(({ type }) => type === 'HELLO' || type === 'LIMITS' || type === 'HEARTBEAT'),
  );
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

// Fault case 18
test('the link repeats HELLO until a booting controller responds', async () => {
  const harness = new CartHarness();
  harness.controller.power(false);
  await harness.cart.start();
  await harness.run(2000);
  assert.equal(harness.cart.view().link?.state, 'HELLO');
  harness.controller.power(true);
  await harness.run(1000);
  assert.equal(harness.cart.view().link?.state, 'READY');
  await harness.close();
});

// Fault case 23
test('declares a silent controller lost after 1 s while the cart moves, and after 1.5 s at rest', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.controller.fault('mute', true);
  await harness.run(500);
  assert.equal(harness.cart.view().link?.state, 'DEGRADED');
  assert.equal(command.final, false);
  await harness.run(700);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'SERIAL_LOST');
  await harness.run(1500);
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();

  const idle = await CartHarness.ready();
  idle.controller.fault('mute', true);
  await idle.run(1400);
  assert.equal(idle.link.driver !== undefined, true);
  await idle.run(700);
  assert.equal(idle.link.driver, undefined);
  await idle.close();
});

test('the odometer remains known during a pause in the reports, as of the last report', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(2000);
  await harness.run(1000);
  const beforeMs = harness.clock.now();
  harness.controller.fault('mute', true);
  await harness.run(500);
  assert.equal(harness.cart.view().link?.state, 'DEGRADED');
  assert.ok((harness.cart.odometer?.atMs ?? Number.POSITIVE_INFINITY) <= beforeMs);
  harness.controller.fault('mute', false);
  await harness.run(10_000);
  assert.equal(command.state, 'FINISHED');
  assert.ok(Math.abs((harness.cart.odometer?.pose.xMm ?? 0) - 2000) < 5);
  harness.wire.unplug();
  await harness.run(10);
  assert.equal(harness.cart.odometer, undefined);
  await harness.close();
});

// Fault case 23
test('a command fails when the controller restarts during a move, and the motion does not resume', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.controller.reset();
  await harness.run(6000);
  assert.equal(command.state, 'FAILED');
  assert.equal(harness.cart.view().link?.state, 'READY');
  assert.equal(harness.controller.snapshot().motions, 1);
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

// Fault case 25
test('an unsupported protocol version makes the link INCOMPATIBLE and blocks motion', async () => {
  const harness = new CartHarness();
  const controller = new SimulatedController({ clock: harness.clock, dialect: 'cgw1', proto: 2 });
  Object.assign(harness, { wire: new MemoryLink(controller) });
  harness.build();
  await harness.cart.start();
  await harness.run(500);
  assert.equal(harness.cart.view().link?.state, 'INCOMPATIBLE');
  assert.throws(() => harness.move(100), hasCode('INCOMPATIBLE'));
  await harness.close();
  controller.close();
});

// Fault case 21
test('stops and reconnects when ten frames within a second are corrupted', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.controller.fault('noise', true, 20);
  await harness.run(1500);
  harness.controller.fault('noise', false);
  assert.equal(command.state, 'FAILED');
  await harness.run(6000);
  assert.equal(harness.cart.view().link?.state, 'READY');
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

test('sends a stop before it ends a failed controller session', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.controller.fault('mute', true);
  await harness.run(1100);
  assert.equal(command.state, 'FAILED');
  assert.ok(harness.wire.of('STOP').length >= 1);
  await harness.run(700);
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

test('a settings change during the handshake leaves only the new connection open', async () => {
  const harness = new CartHarness();
  harness.controller.power(false);
  await harness.cart.start();
  await harness.run(600);
  harness.link.restart();
  await harness.run(100);
  harness.controller.power(true);
  await harness.run(6000);
  assert.equal(harness.cart.view().link?.state, 'READY');
  const command = harness.move(200);
  await harness.run(3000);
  assert.equal(command.state, 'FINISHED');
  await harness.close();
  assert.equal(harness.clock.timers, 0);
});

test('reopens the port after a settings change as soon as the old descriptor is closed', async () => {
  const harness = await CartHarness.ready();
  let release: () => void = () => undefined;
  harness.wire.released = new Promise((resolve) => (release = resolve));
  const reasons: string[] = [];
  harness.log.warn = (_event, fields) => void reasons.push(textOf(fields?.reason as Text));
  harness.link.restart();
  await harness.run(100);
  release();
  await harness.run(20);
  assert.equal(harness.wire.opened, 2);
  // The controller reports every 500 ms.
  await harness.run(500);
  assert.equal(harness.cart.view().link?.state, 'READY');
  assert.deepEqual(reasons, ['the settings have changed']);
  await harness.close();
});

test('reports a port as in use while its old descriptor is open', async () => {
  const harness = await CartHarness.ready();
  harness.wire.released = new Promise(() => undefined);
  harness.link.restart();
  await harness.run(500);
  assert.match(textOf(harness.cart.view().link?.reason ?? ''), /in use/);
  harness.wire.released = Promise.resolve();
  await harness.close();
});

/** Intentional disconnections, which leave the controller connected. */
const INTENDED: readonly [cause: string, act: (harness: CartHarness) => unknown][] = [
  ['a settings change', ({ link }) => link.restart()],
  [
    'a rollback from a port that does not exist',
    async (harness) => {
      harness.link.restart();
      harness.wire.unplug();
      await harness.run(1000);
      assert.equal(harness.link.view().state, 'DOWN');
      harness.wire.plug();
      harness.link.restart();
    },
  ],
  [
    'a firmware update',
    async (harness) => {
      const suspended = harness.link.suspend('the update');
      await harness.run(100);
      await suspended;
      harness.link.resume();
    },
  ],
];
for (const [cause, act] of INTENDED) {
  test(`does not count a reconnection after ${cause}`, async () => {
    const harness = await CartHarness.ready();
    const losses: (boolean | undefined)[] = [];
    harness.link.onLost(({ isIntended }) => losses.push(isIntended));
    await act(harness);
    await harness.run(6000);
    const { state, counters } = harness.link.view();
    assert.deepEqual([state, counters.reconnects, counters.sessions], ['READY', 0, 2]);
    assert.deepEqual(losses, [true]);
    await harness.close();
  });
}

test('does not report a loss when the gateway shuts down', async () => {
  const harness = await CartHarness.ready();
  let losses = 0;
  harness.link.onLost(() => (losses += 1));
  await harness.close();
  assert.equal(losses, 0);
});

test('counts one reconnection after a loss, even if the settings change before the reconnection', async () => {
  const harness = await CartHarness.ready();
  const losses: (boolean | undefined)[] = [];
  harness.link.onLost(({ isIntended }) => losses.push(isIntended));
  harness.wire.unplug();
  await harness.run(1000);
  harness.link.restart();
  await harness.run(1000);
  harness.wire.plug();
  await harness.run(6000);
  const { state, counters } = harness.link.view();
  assert.deepEqual([state, counters.reconnects, counters.sessions], ['READY', 1, 2]);
  assert.deepEqual(losses, [undefined]);
  await harness.close();
});

test.run();
