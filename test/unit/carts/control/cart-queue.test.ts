import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import type { Origin, Reason } from '../../../../src/carts/command/model.js';
import { userActor } from '../../../../src/shared/actor.js';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

const QUEUED = { onBusy: 'queue', ttlMs: 2000 };

async function until(harness: CartHarness, isReached: () => boolean): Promise<void> {
  for (let ms = 0; ms < 60_000 && !isReached(); ms += 5) await harness.run(5);
  assert.ok(isReached());
}

// Fault case 26
test('a queued jog expires when its TTL ends before the jog can start', async () => {
  const harness = await CartHarness.ready();
  harness.move(1500);
  const waiting = harness.move(100, 0, { mode: 'jog', onBusy: 'queue', ttlMs: 500 });
  await harness.run(8000);
  assert.equal(waiting.state, 'EXPIRED');
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

// Fault case 26
test('a command that is not acknowledged within its TTL is not retried, and the cart is stopped', async () => {
  const harness = await CartHarness.ready();
  harness.controller.fault('mute', true);
  const command = harness.move(1000, 0, { ttlMs: 100 });
  await harness.run(300);
  // MOVE frames are sent at 0 and 60 ms; the TTL expires at 120 ms. The controller may have
  // received a MOVE.
  assert.equal(harness.wire.of('MOVE').length, 2);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_ACK_TIMEOUT']);
  assert.ok(harness.wire.of('STOP').length >= 1);
  await harness.close();
});

// Fault case 26
test('a command expires when the controller receives it after its TTL has elapsed', async () => {
  const harness = await CartHarness.ready();
  harness.wire.transitMs = 5000;
  const command = harness.move(1000);
  await harness.run(500);
  assert.deepEqual([command.state, command.reason?.code], ['EXPIRED', 'EXPIRED']);
  assert.equal(harness.controller.snapshot().motions, 0);
  await harness.close();
});

// Fault case 26
test('a queued move runs after a move that takes longer than the TTL', async () => {
  const harness = await CartHarness.ready();
  const first = harness.move(5000);
  const waiting = harness.move(200, 0, QUEUED);
  await harness.run(3000);
  assert.equal(waiting.state, 'QUEUED');
  await until(harness, () => first.final);
  await harness.run(3000);
  assert.equal(waiting.state, 'FINISHED');
  await harness.close();
});

// Fault case 26
test('a queued move expires when the controller receives it after its TTL has elapsed', async () => {
  const harness = await CartHarness.ready();
  const first = harness.move(1500);
  const waiting = harness.move(200, 0, QUEUED);
  await harness.run(300);
  harness.wire.transitMs = 5000;
  await until(harness, () => first.final);
  await harness.run(300);
  assert.deepEqual([waiting.state, waiting.reason?.code], ['EXPIRED', 'EXPIRED']);
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

const BEN: Origin = { ...OPERATOR, actor: userActor('Ben') };
const CANCELLED: Reason = { code: 'CANCELLED', text: 'cancelled' };
/** Until then, Ben's commands are rejected. */
const CONTROL_MS = 5000;
type Loss = readonly [cause: string, code: string, act: (harness: CartHarness, first: Command) => unknown];
const LOSSES: readonly Loss[] = [
  ['an operator stops the cart', 'STOPPED', ({ dispatcher }) => dispatcher.stopOwn('stop', BEN)],
  ['the cart is halted', 'STOPPED', ({ dispatcher }) => dispatcher.stopOwn('halt', BEN)],
  ['a stop command arrives', 'STOPPED', (harness) => harness.move(0, 0, {}, BEN)],
  ['the E-stop is triggered remotely', 'ESTOP_ACTIVE', ({ dispatcher }) => dispatcher.stopOwn('estop', BEN)],
  ['the E-stop button on the cart is pressed', 'ESTOP_ACTIVE', ({ pins }) => pins.press()],
  ['the connection to the controller is lost', 'SERIAL_LOST', ({ wire }) => wire.unplug()],
  ['a late control loop causes a protective stop', 'LOOP_LAG', ({ clock }) => clock.stall(400)],
  [
    'a stalled wheel causes a protective stop',
    'PROTECTIVE_STOP',
    ({ controller }) => controller.fault('stall', true),
  ],
  [
    'the preceding move is cancelled',
    'PREDECESSOR_FAILED',
    ({ cart }, first) => cart.executor.cancel(first, CANCELLED),
  ],
  ['another operator queues a move', 'PASSED_ON', (harness) => harness.move(300, 0, QUEUED, BEN)],
  ['another operator replaces the move', 'SUPERSEDED', (harness) => harness.move(300, 0, {}, BEN)],
  ['another operator takes manual control', 'PASSED_ON', ({ cart }) => cart.executor.passControl(BEN.actor)],
  ['the gateway shuts down', 'STOPPED', ({ cart }) => cart.shutDown()],
];
for (const [cause, code, act] of LOSSES) {
  test(`a queued move does not start if ${cause}`, async () => {
    const harness = await CartHarness.ready();
    const first = harness.move(10_000);
    const waiting = harness.move(200, 0, QUEUED);
    await harness.run(CONTROL_MS + 100);
    assert.equal(waiting.state, 'QUEUED');
    act(harness, first);
    await until(harness, () => waiting.final);
    assert.equal(waiting.reason?.code, code);
    await harness.run(3000);
    assert.equal(
      waiting.transitions.some(({ state }) => state === 'SENT'),
      false,
    );
    await harness.close();
  });
}

test('a queued move does not start after the gateway has restarted', async () => {
  const harness = await CartHarness.ready();
  harness.move(1000);
  const waiting = harness.move(200, 0, QUEUED);
  await harness.run(300);
  const record = { ...waiting.view(), onBusy: waiting.order.onBusy };
  harness.build();
  harness.dispatcher.restore([{ view: record, by: waiting.origin.actor }]);
  await harness.cart.start();
  await harness.run(8000);
  const restored = harness.dispatcher.find(waiting.id);
  assert.deepEqual([restored?.state, restored?.reason?.code], ['FAILED', 'GATEWAY_RESTART']);
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test('a newer command replaces the running command after the cart has stopped', async () => {
  const harness = await CartHarness.ready();
  const first = harness.move(5000);
  await harness.run(1000);
  const second = harness.move(-300);
  assert.equal(first.state, 'CANCELLED');
  assert.equal(first.reason?.code, 'SUPERSEDED');
  assert.equal(second.state, 'QUEUED');
  await harness.run(1500);
  assert.equal(second.state, 'RUNNING');
  await harness.run(3000);
  assert.equal(second.state, 'FINISHED');
  await harness.close();
});

test('rejects a command with onBusy: "reject" while the cart is busy', async () => {
  const harness = await CartHarness.ready();
  harness.move(3000);
  assert.throws(() => harness.move(100, 0, { onBusy: 'reject' }), hasCode('BUSY'));
  await harness.close();
});

test('a queued command is cancelled when the preceding motion fails', async () => {
  const harness = await CartHarness.ready();
  harness.controller.fault('stall', true);
  const first = harness.move(300);
  const follower = harness.move(3000, 0, { onBusy: 'queue', ttlMs: 10_000 });
  await harness.run(9500);
  assert.equal(first.state, 'FAILED');
  assert.equal(follower.state, 'CANCELLED');
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test('rejects the ninth queued command', async () => {
  const harness = await CartHarness.ready();
  harness.move(5000);
  for (let count = 0; count < 8; count++) harness.move(100 + count, 0, { onBusy: 'queue' });
  assert.throws(() => harness.move(99, 0, { onBusy: 'queue' }), hasCode('QUEUE_FULL'));
  await harness.close();
});

test('a queued command is cancelled when the preceding command expires', async () => {
  const harness = await CartHarness.ready();
  harness.move(1500);
  const jog = harness.move(100, 0, { mode: 'jog', onBusy: 'queue', ttlMs: 500 });
  const drive = harness.move(1000, 0, QUEUED);
  await harness.run(8000);
  assert.equal(jog.state, 'EXPIRED');
  assert.deepEqual([drive.state, drive.reason?.code], ['CANCELLED', 'PREDECESSOR_FAILED']);
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test.run();
