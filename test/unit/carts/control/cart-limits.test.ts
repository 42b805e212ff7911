import assert from 'node:assert/strict';
import { test } from 'uvu';
import { hasCode } from '../../../helpers/has-code.js';
import { Rig } from '../../../helpers/rig.js';

// Fault case 15
test('a late control loop stops the cart with LOOP_LAG', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.clock.stall(400);
  await rig.run(60);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'LOOP_LAG');
  await rig.run(1500);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('a hot motor blocks the next move, and a hotter one stops the running one', async () => {
  const rig = await Rig.ready();
  rig.controller.fault('hot', true, 85);
  await rig.run(600);
  assert.throws(() => rig.move(100), hasCode('SAFETY_UNAVAILABLE'));
  rig.controller.fault('hot', false);
  await rig.run(600);
  const command = rig.move(5000);
  await rig.run(1000);
  rig.controller.fault('hot', true, 95);
  await rig.run(300);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'PROTECTIVE_STOP');
  await rig.run(1500);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('the 21st command within a second is refused, except a stop', async () => {
  const rig = await Rig.ready();
  for (let count = 0; count < 20; count++) rig.move(100 + count);
  assert.throws(() => rig.move(99), hasCode('RATE'));
  rig.move(0);
  await rig.close();
});

test('heartbeats are sent every 100 ms, moving or not', async () => {
  const rig = await Rig.ready();
  rig.wire.sent.length = 0;
  await rig.run(1000);
  const idle = rig.wire.of('HEARTBEAT').length;
  rig.move(2000);
  rig.wire.sent.length = 0;
  await rig.run(1000);
  const moving = rig.wire.of('HEARTBEAT').length;
  assert.ok(idle >= 9 && idle <= 11, `${idle} idle`);
  assert.ok(moving >= 9 && moving <= 11, `${moving} moving`);
  await rig.close();
});

test('invalid settings block motion and name the section', async () => {
  const rig = await Rig.ready();
  rig.blocked = 'the section limits of variables.json is not valid';
  assert.throws(() => rig.move(100), hasCode('CONFIG_INVALID'));
  await rig.close();
});

test.run();
