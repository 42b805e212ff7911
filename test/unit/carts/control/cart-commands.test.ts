import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import { maxDurationMs } from '../../../../src/carts/control/motion-duration.js';
import { hasCode } from '../../../helpers/has-code.js';
import { Rig } from '../../../helpers/rig.js';

const states = (command: Command): string[] => command.transitions.map(({ state }) => state);

test('a command is sent, acknowledged, runs and finishes at its target', async () => {
  const rig = await Rig.ready();
  const command = rig.move(1000, 90);
  await rig.run(200);
  assert.equal(command.state, 'RUNNING');
  await rig.run(9000);
  assert.deepEqual(states(command), ['ACCEPTED', 'SENT', 'ACKNOWLEDGED', 'RUNNING', 'FINISHED']);
  assert.ok(Math.abs((command.result?.distanceMm ?? 0) - 1000) < 10, JSON.stringify(command.result));
  const { pose } = rig.cart.view();
  assert.ok(
    pose && Math.abs(pose.yMm - 1000) < 20 && Math.abs(pose.headingDeg - 90) < 2,
    JSON.stringify(pose),
  );
  await rig.close();
});

test('a new track width applies from the next turn', async () => {
  const rig = await Rig.ready();
  const turned = async (): Promise<number> => {
    const before = rig.cart.view().pose?.headingDeg ?? 0;
    rig.move(0, 30);
    await rig.run(3000);
    return (rig.cart.view().pose?.headingDeg ?? 0) - before;
  };
  const narrow = await turned();
  rig.settings.kinematics.trackMm *= 2;
  assert.ok(Math.abs((await turned()) - narrow / 2) < 0.5);
  await rig.close();
});

// Fault case 5
test('a repeated commandId starts one motion, however often it arrives', async () => {
  const rig = await Rig.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000001';
  const commands = Array.from({ length: 50 }, () => rig.move(300, 0, { commandId }));
  await rig.run(300);
  assert.equal(new Set(commands).size, 1);
  assert.equal(rig.wire.of('MOVE').length, 1);
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

// Fault case 6
test('a commandId with another body is rejected and the first command continues', async () => {
  const rig = await Rig.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000002';
  const first = rig.move(300, 0, { commandId });
  assert.throws(() => rig.move(301, 0, { commandId }), hasCode('ID_REUSED'));
  await rig.run(4000);
  assert.equal(first.state, 'FINISHED');
  await rig.close();
});

// Fault case 19
test('a command without an acknowledgement is stopped and fails within 300 ms', async () => {
  const rig = await Rig.ready();
  rig.controller.fault('mute', true);
  const command = rig.move(1000);
  const startMs = rig.clock.now();
  await rig.run(300);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'SERIAL_ACK_TIMEOUT');
  assert.ok((command.transitions.at(-1)?.atMs ?? 0) - startMs < 300);
  assert.equal(rig.wire.of('MOVE').length, 3);
  assert.ok(rig.wire.of('STOP').length >= 1);
  await rig.close();
});

// Fault case 20
test('a frame is repeated when its acknowledgement is lost, and the cart moves once', async () => {
  const rig = await Rig.ready();
  rig.controller.fault('dropAck', true, 1);
  const command = rig.move(500);
  await rig.run(100);
  const moves = rig.wire.of('MOVE');
  assert.equal(moves.length, 2);
  assert.deepEqual(
    moves.map(({ retry }) => retry),
    [false, true],
  );
  assert.equal(moves[0]?.seq, moves[1]?.seq);
  await rig.run(4000);
  assert.equal(command.state, 'FINISHED');
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

// Fault case 24
test('a command fails with ESTOP_ACTIVE when the controller rejects it', async () => {
  const rig = await Rig.ready();
  rig.controller.pressEstop();
  const command = rig.move(500);
  await rig.run(100);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'ESTOP_ACTIVE');
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  await rig.close();
});

// Fault case 24
test('a stalled motion fails when the controller gives it up', async () => {
  const rig = await Rig.ready();
  rig.controller.fault('stall', true);
  const command = rig.move(300);
  await rig.run(9000);
  assert.equal(command.state, 'FAILED');
  assert.equal(rig.cart.busy, false);
  await rig.close();
});

// Fault case 24
test('a motion fails with TIMEOUT when its end event is lost', async () => {
  const rig = await Rig.ready();
  // The controller reaches its goal, stands, and says so in every status; only the event of it never arrives.
  rig.wire.lose = 'EVENT';
  const command = rig.move(300);
  const boundMs = maxDurationMs({ ...command.order }, rig.settings.limits);
  await rig.run(boundMs - 50);
  assert.equal(command.final, false);
  assert.equal(rig.controller.snapshot().state, 'IDLE');
  assert.equal(rig.wire.of('STOP').length, 0);
  await rig.run(100);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'TIMEOUT']);
  assert.ok(rig.wire.of('STOP').length >= 1);
  await rig.close();
});

// Fault case 33
test('a step of the wall clock in mid-move does not disturb a command', async () => {
  const rig = await Rig.ready();
  const command = rig.move(600);
  await rig.run(500);
  rig.clock.stepWallTime(-3_600_000);
  await rig.run(200);
  rig.clock.stepWallTime(7_200_000);
  await rig.run(3000);
  assert.equal(command.state, 'FINISHED');
  await rig.close();
});

test.run();
