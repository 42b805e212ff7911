import assert from 'node:assert/strict';
import { test } from 'uvu';
import { safetyMessage } from '../../../../src/carts/safety/messages.js';
import { actorName, userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

// Fault case 7
test('rejects motion and sends only disarmed heartbeats while a stop is latched', async () => {
  const harness = await CartHarness.ready();
  harness.dispatcher.stopOwn('estop', OPERATOR);
  await harness.run(100);
  harness.wire.sent.length = 0;
  assert.throws(() => harness.move(500), hasCode('ESTOP_ACTIVE'));
  await harness.run(500);
  assert.ok(harness.wire.sent.length >= 4);
  assert.ok(
    harness.wire.sent.every((frame) => frame.type === 'HEARTBEAT' && !frame.armed),
    JSON.stringify(harness.wire.sent),
  );
  await harness.close();
});

test('keeps the motors off and sends nothing after the stop frame when a write to the motor-enable output fails', async () => {
  for (const mode of ['pulse', 'level'] as const) {
    const harness = await CartHarness.ready((settings) => (settings.gpio.enable.mode = mode));
    const { pins, wire } = harness;
    const sentBefore = wire.sent.length;
    pins.failNextWrite = true;
    const command = harness.move(1000);
    assert.deepEqual(
      wire.sent.slice(sentBefore).map(({ type }) => type),
      ['HEARTBEAT', 'ESTOP', 'HEARTBEAT'],
    );
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ESTOP_ACTIVE']);
    await harness.run(500);
    assert.ok(!pins.levels.includes(true), mode);
    assert.equal(harness.cart.arming.on, false);
    assert.equal(harness.cart.interlocks.latched, true);
    await harness.close();
  }
});

test('a motor-enable pulse that cannot be written stops the cart and ends the pulses', async () => {
  const harness = await CartHarness.ready((settings) => (settings.gpio.enable.mode = 'pulse'));
  const { pins } = harness;
  const command = harness.move(3000);
  await harness.run(1000);
  pins.failNextWrite = true;
  await harness.run(50);
  const writes = pins.levels.length;
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ESTOP_ACTIVE']);
  await harness.run(500);
  assert.deepEqual([pins.enable, pins.levels.length], [false, writes]);
  await harness.close();
});

test('a command does not switch the motors on if ending the preceding halt latches a stop', async () => {
  const harness = await CartHarness.ready();
  const { cart, pins, wire } = harness;
  harness.move(3000);
  await harness.run(1000);
  cart.stop('halt', OPERATOR.actor);
  // The cart is stationary, but the motors have not been switched off yet.
  cart.executor.lost({ code: 'SERIAL_LOST', text: '' });
  cart.executor.connected(harness.link.driver ?? assert.fail());
  const writesBefore = pins.levels.length;
  const sentBefore = wire.sent.length;
  pins.failNextWrite = true;
  const command = harness.move(1000);
  assert.ok(!pins.levels.slice(writesBefore).includes(true));
  assert.deepEqual([cart.arming.on, command.state], [false, 'FAILED']);
  assert.ok(!wire.sent.slice(sentBefore).some(({ type }) => type === 'MOVE' || type === 'LIMITS'));
  await harness.close();
});

// Fault case 8
test('the E-stop button cuts power, sends the stop frame, fails the command and saves the latch', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(3000);
  await harness.run(1000);
  const order: string[] = [];
  const { pins, wire, latch } = harness;
  const writeEnable = pins.writeEnable.bind(pins);
  pins.writeEnable = (on) => {
    order.push(`enable ${on}`);
    writeEnable(on);
  };
  const sentBefore = wire.sent.length;
  command.onTransition(() =>
    order.push(`command after ${wire.sent.slice(sentBefore).map(({ type }) => type)}`),
  );
  const save = latch.save.bind(latch);
  latch.save = async (value) => {
    order.push('disk');
    await save(value);
  };
  pins.press();
  assert.equal(order[0], 'enable false');
  assert.match(order[1] ?? '', /^command after ESTOP/);
  await harness.run(50);
  assert.ok(order.includes('disk'));
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'ESTOP_ACTIVE');
  assert.equal(latch.latch.kind, 'MANUAL');
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  await harness.run(2000);
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

// Fault case 8
test("the controller's E-stop fails the running command and the queued command with ESTOP_ACTIVE", async () => {
  const harness = await CartHarness.ready();
  const running = harness.move(3000);
  await harness.run(1000);
  const queued = harness.move(100, 0, { onBusy: 'queue', ttlMs: 10_000 });
  const { pins, wire } = harness;
  const before: unknown[] = [];
  running.onTransition(() => before.push(pins.enable, wire.sent.at(-1)?.type));
  harness.controller.pressEstop();
  await harness.run(50);
  assert.deepEqual(
    before,
    [false, 'ESTOP'],
    'the motors are off and the stop is sent before the command ends',
  );
  for (const { state, reason } of [running, queued]) {
    assert.deepEqual([state, reason?.code], ['FAILED', 'ESTOP_ACTIVE']);
    assert.match(textOf(reason?.text ?? ''), /E-stop on the cart/);
  }
  assert.ok((running.result?.distanceMm ?? 0) > 100, 'the distance travelled is recorded');
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  await harness.close();
});

test('a press while a stop is latched counts as a repetition but stops the cart again, and a press after a reset counts as a new press', async () => {
  const harness = await CartHarness.ready();
  const recorded: string[] = [];
  const logged: string[] = [];
  harness.cart.onSafety(({ kind, by, repeated = false }) =>
    recorded.push(`${kind} ${actorName(by)} ${repeated}`),
  );
  harness.log.warn = (event) => void logged.push(event);
  const press = (name: string) =>
    harness.dispatcher.stopOwn('estop', { ...OPERATOR, actor: userActor(name) });
  press('anna');
  const stopFrames = harness.wire.of('ESTOP').length;
  for (const who of ['anna', 'anna', 'bram']) press(who);
  assert.equal(harness.wire.of('ESTOP').length, stopFrames + 3);
  await harness.run(100);
  const reset = harness.dispatcher.resetOwn(OPERATOR);
  await harness.run(2000);
  await reset;
  press('anna');
  harness.pins.press();
  assert.deepEqual(
    recorded.filter((event) => event.endsWith('true')),
    ['estop.latched anna true', 'estop.latched anna true', 'estop.latched bram true'],
  );
  assert.equal(recorded.filter((event) => event.endsWith('false')).length, 4, recorded.join());
  assert.equal(logged.filter((event) => event === 'estop.latched').length, 3);
  await harness.close();
});

// Fault case 9
test('latches the E-stop on a 5 ms pulse and on a chattering contact', async () => {
  const pulse = await CartHarness.ready();
  pulse.pins.press();
  await pulse.run(5);
  pulse.pins.release();
  assert.equal(pulse.cart.view().safety.emergencyStop, 'MANUAL');
  await pulse.close();

  const chatter = await CartHarness.ready();
  for (let edge = 0; edge < 3; edge++) {
    chatter.pins.glitch();
    await chatter.run(5);
  }
  assert.equal(chatter.cart.view().safety.emergencyStop, 'MANUAL');
  await chatter.close();
});

// Fault case 9
test('logs a latching stop only after the motors are off and the stop frame is sent', async () => {
  const harness = await CartHarness.ready();
  harness.move(3000);
  await harness.run(300);
  const said: string[] = [];
  harness.log.warn = (event) => {
    assert.equal(harness.pins.enable, false, `${event} came before the motors were off`);
    assert.equal(harness.wire.of('ESTOP').length, 1, `${event} came before the stop frame`);
    said.push(event);
  };
  harness.pins.press();
  assert.deepEqual(said, ['estop.latched', 'estop_input.changed']);
  await harness.close();
});

// Fault case 10
test('the input poll latches the E-stop when an edge is lost or the input becomes unreadable', async () => {
  const cut = await CartHarness.ready();
  cut.pins.healthy = false;
  await cut.run(25);
  assert.equal(cut.cart.view().safety.emergencyStop, 'MANUAL');
  await cut.close();

  const broken = await CartHarness.ready();
  broken.pins.fault = new Error('EIO: i/o error');
  await broken.run(25);
  const { safety } = broken.cart.view();
  assert.equal(safety.emergencyStop, 'MANUAL');
  assert.match(textOf(safety.stoppedBy ?? ''), /EIO/);
  await broken.close();
});

// Fault case 10
test('an input that has never been readable makes safety unavailable and blocks motion', async () => {
  const harness = new CartHarness();
  harness.pins.fault = new Error('no GPIO chip with a known label');
  await harness.cart.start();
  await harness.run(1500);
  assert.throws(() => harness.move(100), hasCode('SAFETY_UNAVAILABLE'));
  assert.match(textOf(harness.cart.view().safety.reason), /no GPIO chip/);
  await harness.close();
});

// Fault case 13
test('a latch loaded at startup blocks motion and latches the controller until a reset', async () => {
  const harness = new CartHarness();
  harness.latch.latch = { kind: 'REMOTE', by: userActor('Anna'), at: '2026-01-01T00:00:00.000Z' };
  await harness.cart.start();
  await harness.run(1500);
  assert.throws(() => harness.move(100), hasCode('ESTOP_ACTIVE'));
  assert.equal(harness.controller.snapshot().state, 'ESTOP');
  const reset = harness.dispatcher.resetOwn(OPERATOR);
  await harness.run(100);
  await reset;
  harness.move(100);
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test('blocks motion when the latch cannot be saved, but still accepts a latching stop', async () => {
  const harness = await CartHarness.ready();
  harness.latchUnsavableReason = 'the file system is read-only';
  assert.throws(() => harness.move(100), hasCode('SAFETY_UNAVAILABLE'));
  const { mayMove, reason } = harness.cart.view().safety;
  assert.deepEqual(
    [mayMove, reason],
    [false, safetyMessage('latch-unsavable', { reason: 'the file system is read-only' })],
  );
  harness.dispatcher.stopOwn('estop', OPERATOR);
  assert.equal(harness.wire.of('ESTOP').length, 1);
  assert.equal(harness.cart.view().safety.emergencyStop, 'REMOTE');
  await harness.close();
});

test('a stop is latched, but its request fails, when the latch cannot be saved', async () => {
  const harness = await CartHarness.ready();
  harness.latch.save = async () => {
    throw new Error('EIO');
  };
  await assert.rejects(harness.dispatcher.stop(1, 'estop', OPERATOR), hasCode('WRITE_FAILED'));
  assert.equal(harness.cart.view().safety.emergencyStop, 'REMOTE');
  assert.match(JSON.stringify(harness.cart.view().faults), /could not be saved/);
  await harness.close();
});

test('saves a latched stop even when a listener for the stopped command throws', async () => {
  const harness = await CartHarness.ready();
  harness.move(3000).onTransition(() => {
    throw new Error('listener failed');
  });
  assert.throws(() => harness.dispatcher.stopOwn('estop', OPERATOR), /listener failed/);
  await harness.run(10);
  assert.equal(harness.latch.latch.kind, 'REMOTE');
  await harness.close();
});

test('records a press once, regardless of how often it is received, but stops the cart each time', async () => {
  const harness = await CartHarness.ready();
  const recorded: string[] = [];
  harness.cart.onSafety(({ kind, by, pressId }) => void recorded.push(`${kind} ${actorName(by)} ${pressId}`));
  const stoppedAt: (string | undefined)[] = [];
  const press = async (pressId: string, name = 'anna'): Promise<void> => {
    harness.dispatcher.stopOwn('estop', { ...OPERATOR, actor: userActor(name), pressId });
    stoppedAt.push(harness.cart.view().safety.stoppedAt);
    await harness.run(100);
  };
  await press('first');
  await press('first');
  await harness.run(10_000);
  await press('first');
  assert.deepEqual(recorded, ['estop.latched anna first']);
  assert.equal(harness.wire.of('ESTOP').length, 3, 'every stop is sent to the controller');
  assert.equal(new Set(stoppedAt).size, 3, 'every arrival invalidates a reset in progress');
  await press('second');
  await press('first');
  await press('third', 'bram');
  assert.deepEqual(recorded.slice(1), ['estop.latched anna second', 'estop.latched bram third']);
  assert.equal(harness.cart.view().safety.pressId, 'third');
  await harness.close();
});

test('latches and records a press without an ID, and a press that is received again after the reset', async () => {
  const harness = await CartHarness.ready();
  const recorded: (string | undefined)[] = [];
  harness.cart.onSafety(({ kind, pressId }) => {
    if (kind === 'estop.latched') recorded.push(pressId);
  });
  harness.dispatcher.stopOwn('estop', { ...OPERATOR, pressId: 'late' });
  await harness.run(100);
  const reset = harness.dispatcher.resetOwn(OPERATOR);
  await harness.run(2000);
  await reset;
  harness.dispatcher.stopOwn('estop', { ...OPERATOR, pressId: 'late' });
  assert.equal(harness.cart.view().safety.emergencyStop, 'REMOTE');
  harness.dispatcher.stopOwn('estop', OPERATOR);
  assert.equal(recorded[0], 'late');
  assert.equal(new Set(recorded).size, 3, recorded.join());
  await harness.close();
});

// Fault case 9
test('sends one stop frame for every three edges of a chattering contact, and logs the stop only once', async () => {
  const harness = await CartHarness.ready();
  const logged: string[] = [];
  const recorded: string[] = [];
  harness.log.warn = (event) => void logged.push(event);
  harness.cart.onSafety(({ kind }) => void recorded.push(kind));
  for (let edge = 0; edge < 30; edge++) harness.pins.glitch();
  assert.equal(harness.wire.of('ESTOP').length, 10);
  assert.deepEqual([logged, recorded], [['estop.latched'], ['estop.latched']]);
  await harness.close();
});

test.run();
