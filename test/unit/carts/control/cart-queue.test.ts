import assert from 'node:assert/strict';
import { test } from 'uvu';
import { CartHarness } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

// Fault case 26
test('a queued command expires when its TTL ends before the command can start', async () => {
  const harness = await CartHarness.ready();
  harness.move(1500);
  const waiting = harness.move(200, 0, { onBusy: 'queue', ttlMs: 500 });
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
test('a queued command runs when its TTL is long enough', async () => {
  const harness = await CartHarness.ready();
  harness.move(300);
  const waiting = harness.move(200, 0, { onBusy: 'queue', ttlMs: 10_000 });
  assert.equal(waiting.state, 'QUEUED');
  await harness.run(6000);
  assert.equal(waiting.state, 'FINISHED');
  await harness.close();
});

test('a newer command replaces the running one after the cart has stopped', async () => {
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
  const turn = harness.move(0, 90, { onBusy: 'queue', ttlMs: 500 });
  const drive = harness.move(1000, 0, { onBusy: 'queue', ttlMs: 10_000 });
  await harness.run(8000);
  assert.equal(turn.state, 'EXPIRED');
  assert.deepEqual([drive.state, drive.reason?.code], ['CANCELLED', 'PREDECESSOR_FAILED']);
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test.run();
