import assert from 'node:assert/strict';
import { test } from 'uvu';
import { hasCode } from '../../../helpers/has-code.js';
import { Rig } from '../../../helpers/rig.js';

// Fault case 26
test('a queued command expires when its ttl ends before its turn', async () => {
  const rig = await Rig.ready();
  rig.move(1500);
  const waiting = rig.move(200, 0, { onBusy: 'queue', ttlMs: 500 });
  await rig.run(8000);
  assert.equal(waiting.state, 'EXPIRED');
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

// Fault case 26
test('a command is not retried after its ttl, and the cart is stopped', async () => {
  const rig = await Rig.ready();
  rig.controller.fault('mute', true);
  const command = rig.move(1000, 0, { ttlMs: 100 });
  await rig.run(300);
  // Sent after 0 and 60 ms; at 120 ms the ttl was over. Either frame may have reached the controller.
  assert.equal(rig.wire.of('MOVE').length, 2);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_ACK_TIMEOUT']);
  assert.ok(rig.wire.of('STOP').length >= 1);
  await rig.close();
});

// Fault case 26
test('a command expires when it reaches the controller after its ttl', async () => {
  const rig = await Rig.ready();
  rig.wire.agedMs = 5000;
  const command = rig.move(1000);
  await rig.run(500);
  assert.deepEqual([command.state, command.reason?.code], ['EXPIRED', 'EXPIRED']);
  assert.equal(rig.controller.snapshot().motions, 0);
  await rig.close();
});

// Fault case 26
test('a queued command runs when its ttl is long enough', async () => {
  const rig = await Rig.ready();
  rig.move(300);
  const waiting = rig.move(200, 0, { onBusy: 'queue', ttlMs: 10_000 });
  assert.equal(waiting.state, 'QUEUED');
  await rig.run(6000);
  assert.equal(waiting.state, 'FINISHED');
  await rig.close();
});

test('a newer command replaces the running one after the cart has stopped', async () => {
  const rig = await Rig.ready();
  const first = rig.move(5000);
  await rig.run(1000);
  const second = rig.move(-300);
  assert.equal(first.state, 'CANCELLED');
  assert.equal(first.reason?.code, 'SUPERSEDED');
  assert.equal(second.state, 'QUEUED');
  await rig.run(1500);
  assert.equal(second.state, 'RUNNING');
  await rig.run(3000);
  assert.equal(second.state, 'FINISHED');
  await rig.close();
});

test('a command with onBusy reject is refused while the cart is busy', async () => {
  const rig = await Rig.ready();
  rig.move(3000);
  assert.throws(() => rig.move(100, 0, { onBusy: 'reject' }), hasCode('BUSY'));
  await rig.close();
});

test('a queued command is cancelled when the motion before it fails', async () => {
  const rig = await Rig.ready();
  rig.controller.fault('stall', true);
  const first = rig.move(300);
  const follower = rig.move(3000, 0, { onBusy: 'queue', ttlMs: 10_000 });
  await rig.run(9500);
  assert.equal(first.state, 'FAILED');
  assert.equal(follower.state, 'CANCELLED');
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

test('the ninth queued command is refused', async () => {
  const rig = await Rig.ready();
  rig.move(5000);
  for (let count = 0; count < 8; count++) rig.move(100 + count, 0, { onBusy: 'queue' });
  assert.throws(() => rig.move(99, 0, { onBusy: 'queue' }), hasCode('QUEUE_FULL'));
  await rig.close();
});

test.run();
