import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import { unitsFingerprint } from '../../../../src/carts/command/parser.js';
import { maxDurationMs } from '../../../../src/carts/control/motion-duration.js';
import { CartHarness } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

const states = (command: Command): string[] => command.transitions.map(({ state }) => state);

/** Returns what the gateway does to the serial line and to the motor-enable output during the call. */
function writesOf(harness: CartHarness, call: () => void): string[] {
  const { pins, wire } = harness;
  const writes: string[] = [];
  const framesBefore = wire.sent.length;
  const inOrder = (): void => {
    for (const frame of wire.sent.slice(framesBefore + writes.filter((name) => name !== 'enable').length))
      writes.push(frame.type === 'HEARTBEAT' ? `HEARTBEAT ${frame.armed}` : frame.type);
  };
  const write = pins.writeEnable.bind(pins);
  pins.writeEnable = (on) => {
    inOrder();
    if (on) writes.push('enable');
    write(on);
  };
  call();
  inOrder();
  pins.writeEnable = write;
  return writes;
}

test('writes the frames of a motion in the documented order before the command is accepted', async () => {
  const harness = new CartHarness(undefined, { protectiveField: true });
  harness.controller.setWalls([{ x1: 900, y1: -3000, x2: 900, y2: 3000 }]);
  await harness.cart.start();
  await harness.run(1500);
  const first = writesOf(harness, () => harness.move(100));
  assert.deepEqual(first, ['HEARTBEAT false', 'enable', 'HEARTBEAT true', 'LIMITS', 'MOVE']);
  await harness.run(4000);
  harness.controller.setWalls([]);
  await harness.run(1000);
  const second = writesOf(harness, () => harness.move(100));
  assert.deepEqual(second, ['MOVE'], 'the motors are on, and no obstacle is near');
  await harness.run(4000);
  await harness.close();
});

test('a command is sent and acknowledged, starts, and finishes at its target', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(1000, 90);
  await harness.run(200);
  assert.equal(command.state, 'RUNNING');
  await harness.run(9000);
  assert.deepEqual(states(command), ['ACCEPTED', 'SENT', 'ACKNOWLEDGED', 'RUNNING', 'FINISHED']);
  assert.ok(Math.abs((command.result?.distanceMm ?? 0) - 1000) < 10, JSON.stringify(command.result));
  const { pose } = harness.cart.view();
  assert.ok(
    pose && Math.abs(pose.yMm - 1000) < 20 && Math.abs(pose.headingDeg - 90) < 2,
    JSON.stringify(pose),
  );
  await harness.close();
});

test('a change to the track width takes effect the next time the cart turns', async () => {
  const harness = await CartHarness.ready();
  const turned = async (): Promise<number> => {
    const before = harness.cart.view().pose?.headingDeg ?? 0;
    harness.move(0, 30);
    await harness.run(3000);
    return (harness.cart.view().pose?.headingDeg ?? 0) - before;
  };
  const narrow = await turned();
  harness.settings.kinematics.trackMm *= 2;
  assert.ok(Math.abs((await turned()) - narrow / 2) < 0.5);
  await harness.close();
});

// Fault case 5
test('a commandId starts only one motion, regardless of how many times it arrives', async () => {
  const harness = await CartHarness.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000001';
  const commands = Array.from({ length: 50 }, () => harness.move(300, 0, { commandId }));
  await harness.run(300);
  assert.equal(new Set(commands).size, 1);
  assert.equal(harness.wire.of('MOVE').length, 1);
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test('returns the existing command for the same body after default settings have changed', async () => {
  const harness = await CartHarness.ready();
  const { limits } = harness.settings;
  const [moveId, stopId] = ['aaaaaaaa-0000-4000-8000-000000000003', 'aaaaaaaa-0000-4000-8000-000000000004'];
  const first = harness.move(300, 0, { commandId: moveId });
  limits.defaultSpeedMmps -= 50;
  limits.ttlMs += 500;
  limits.onBusy = 'queue';
  assert.equal(harness.move(300, 0, { commandId: moveId }), first);
  assert.equal(harness.wire.of('MOVE').length, 1);
  for (const more of [{ maxSpeed: 100 }, { ttlMs: 300 }, { onBusy: 'reject' }]) {
    assert.throws(() => harness.move(300, 0, { commandId: moveId, ...more }), hasCode('ID_REUSED'));
  }
  await harness.run(4000);
  harness.move(0, 0, { commandId: stopId });
  limits.ttlMs += 500;
  assert.equal(harness.move(0, 0, { commandId: stopId }).id, stopId);
  await harness.close();
});

test('returns the existing move for the same body after the units or presets have changed', async () => {
  const harness = await CartHarness.ready();
  const { units, presets } = harness.settings;
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000005';
  const meaning = unitsFingerprint(harness.settings);
  const repeat = () => harness.move(300, 0, { commandId, meaning });
  const first = repeat();
  units.distance = 'cm';
  assert.equal(repeat(), first);
  units.mode = 'table';
  assert.equal(repeat(), first, 'there is no preset 300');
  assert.equal(harness.wire.of('MOVE').length, 1);
  assert.throws(() => harness.move(301, 0, { commandId, meaning }), hasCode('SETTINGS_CHANGED'));
  // With the new presets, the same body is a stop.
  Object.assign(presets.distance, { 300: 0 });
  Object.assign(presets.angle, { 0: 0 });
  assert.throws(repeat, hasCode('ID_REUSED'));
  assert.equal(harness.wire.of('STOP').length, 1);
  await harness.close();
});

// Fault case 6
test('rejects a reused commandId with a different body and continues the first command', async () => {
  const harness = await CartHarness.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000002';
  const first = harness.move(300, 0, { commandId });
  assert.throws(() => harness.move(301, 0, { commandId }), hasCode('ID_REUSED'));
  await harness.run(4000);
  assert.equal(first.state, 'FINISHED');
  await harness.close();
});

// Fault case 19
test('a command that is not acknowledged is stopped and fails within 300 ms', async () => {
  const harness = await CartHarness.ready();
  harness.controller.fault('mute', true);
  const command = harness.move(1000);
  const startMs = harness.clock.now();
  await harness.run(300);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'SERIAL_ACK_TIMEOUT');
  assert.ok((command.transitions.at(-1)?.atMs ?? 0) - startMs < 300);
  assert.equal(harness.wire.of('MOVE').length, 3);
  assert.ok(harness.wire.of('STOP').length >= 1);
  await harness.close();
});

// Fault case 20
test('repeats a frame when its acknowledgement is lost, and the cart moves only once', async () => {
  const harness = await CartHarness.ready();
  harness.controller.fault('dropAck', true, 1);
  const command = harness.move(500);
  await harness.run(100);
  const moves = harness.wire.of('MOVE');
  assert.equal(moves.length, 2);
  assert.deepEqual(
    moves.map(({ retry }) => retry),
    [false, true],
  );
  assert.equal(moves[0]?.seq, moves[1]?.seq);
  await harness.run(4000);
  assert.equal(command.state, 'FINISHED');
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

// Fault case 24
test('a command fails with ESTOP_ACTIVE when the controller rejects it because of an E-stop', async () => {
  const harness = await CartHarness.ready();
  harness.controller.pressEstop();
  const command = harness.move(500);
  await harness.run(100);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'ESTOP_ACTIVE');
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  await harness.close();
});

// Fault case 24
test('a stalled motion fails when the controller aborts it', async () => {
  const harness = await CartHarness.ready();
  harness.controller.fault('stall', true);
  const command = harness.move(300);
  await harness.run(9000);
  assert.equal(command.state, 'FAILED');
  assert.equal(harness.cart.busy, false);
  await harness.close();
});

// Fault case 24
test('a motion fails with TIMEOUT when its end event is lost', async () => {
  const harness = await CartHarness.ready();
  // The controller reports standstill at the target in every status frame; only the end event is lost.
  harness.wire.lost = 'EVENT';
  const command = harness.move(300);
  const boundMs = maxDurationMs({ ...command.order }, harness.settings.limits);
  await harness.run(boundMs - 50);
  assert.equal(command.final, false);
  assert.equal(harness.controller.snapshot().state, 'IDLE');
  assert.equal(harness.wire.of('STOP').length, 0);
  await harness.run(100);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'TIMEOUT']);
  assert.ok(harness.wire.of('STOP').length >= 1);
  await harness.close();
});

// Fault case 33
test('a wall-clock step during a move does not affect the command', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(600);
  await harness.run(500);
  harness.clock.stepWallTime(-3_600_000);
  await harness.run(200);
  harness.clock.stepWallTime(7_200_000);
  await harness.run(3000);
  assert.equal(command.state, 'FINISHED');
  await harness.close();
});

test('the cart view shows the running command or the last one that ran, not a queued or rejected command', async () => {
  const harness = await CartHarness.ready();
  const viewed = (): string | undefined => harness.cart.view().commandId;
  const first = harness.move(300);
  assert.equal(viewed(), first.id);
  const second = harness.move(200, 0, { onBusy: 'queue', ttlMs: 10_000 });
  assert.throws(() => harness.move(100, 0, { onBusy: 'reject' }), hasCode('BUSY'));
  assert.equal(viewed(), first.id);
  await harness.run(6000);
  assert.equal(second.state, 'FINISHED');
  assert.equal(viewed(), second.id);
  await harness.close();
});

test.run();
