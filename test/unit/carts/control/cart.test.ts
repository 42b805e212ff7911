import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import { maxDurationMs } from '../../../../src/carts/control/motion-duration.js';
import { TreeAgent } from '../../../../src/carts/mqtt/agent.js';
import { stateBody } from '../../../../src/carts/mqtt/messages/state.js';
import { EstopLatch } from '../../../../src/carts/safety/estop-latch.js';
import { latchFile } from '../../../../src/carts/safety/latch-store.js';
import { type Latch, UNLATCHED } from '../../../../src/carts/safety/safety.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { BusMessage, MessageBus } from '../../../../src/shared/ports/ports.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { OPERATOR, PEER, quietLog, Rig, settle } from '../../../helpers/rig.js';
import { actionMessage, identityOf } from '../mqtt/site.js';

/** A GatewayError with this code. */
const code = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof GatewayError, String(error));
  assert.equal(error.code, expected);
  return true;
};

const states = (command: Command): string[] => command.transitions.map(({ state }) => state);

test('a command goes to the line, is acknowledged, runs and finishes where it was meant to', async () => {
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

test('a new track width counts from the next turn on', async () => {
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

test('5: one commandId is one motion, however often it arrives', async () => {
  const rig = await Rig.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000001';
  const commands = Array.from({ length: 50 }, () => rig.move(300, 0, { commandId }));
  await rig.run(300);
  assert.equal(new Set(commands).size, 1);
  assert.equal(rig.wire.of('MOVE').length, 1);
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

test('6: the same commandId with another body is refused, and the first is unaffected', async () => {
  const rig = await Rig.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000002';
  const first = rig.move(300, 0, { commandId });
  assert.throws(() => rig.move(301, 0, { commandId }), code('ID_REUSED'));
  await rig.run(4000);
  assert.equal(first.state, 'FINISHED');
  await rig.close();
});

test('7: while the emergency stop is latched nothing but disarmed heartbeats reaches the line', async () => {
  const rig = await Rig.ready();
  rig.dispatcher.stopOwn('estop', OPERATOR);
  await rig.run(100);
  rig.wire.sent.length = 0;
  assert.throws(() => rig.move(500), code('ESTOP_ACTIVE'));
  await rig.run(500);
  assert.ok(rig.wire.sent.length >= 4);
  assert.ok(
    rig.wire.sent.every((frame) => frame.type === 'HEARTBEAT' && !frame.armed),
    JSON.stringify(rig.wire.sent),
  );
  await rig.close();
});

test('8: the button in mid-move: power off first, then the frame, then the command, then the disk', async () => {
  const rig = await Rig.ready();
  const command = rig.move(3000);
  await rig.run(1000);
  const order: string[] = [];
  const { pins, wire, latch } = rig;
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
  await rig.run(50);
  assert.ok(order.includes('disk'));
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'ESTOP_ACTIVE');
  assert.equal(latch.latch.kind, 'MANUAL');
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  await rig.run(2000);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('8: the button in mid-move: the latch is on the disk, and the state is published behind it all', async () => {
  const rig = await Rig.ready();
  const dir = await mkdtemp(join(tmpdir(), 'latch-'));
  const file = latchFile(dir, async () => {});
  rig.latch.save = (latch) => file.save(latch);
  const told: string[] = [];
  const tell = (what: string) =>
    told.push(`${what}: enable ${rig.pins.enable}, then ${rig.wire.sent.at(-1)?.type}`);
  const agent = new TreeAgent({
    ...{
      bus: busTo(tell),
      dispatcher: rig.dispatcher,
      identity: identityOf(1),
      clock: rig.clock,
      log: quietLog,
    },
    ...{ factsheet: () => ({}), rules: () => rig.settings },
  });
  agent.start();
  const command = rig.move(3000);
  await rig.run(1000);
  told.length = 0;
  command.onTransition(({ state }) => tell(state));
  rig.pins.press();
  // Whoever hears of it hears of a cart that is without power and told to stop.
  assert.deepEqual(told, ['MANUAL: enable false, then ESTOP', 'FAILED: enable false, then ESTOP']);
  await rig.cart.latchSaved();
  assert.equal((await file.load()).kind, 'MANUAL');
  const closed = agent.close();
  await rig.run(1000);
  await closed;
  await rig.close();
  await rm(dir, { recursive: true });
});

/** A bus that only notes which emergency stop is told in a state. */
function busTo(tell: (stop: string) => void): MessageBus {
  const status = { connected: true, reason: '', url: 'memory', embedded: true };
  const none = () => () => undefined;
  return {
    ...{ status: () => status, subscribe: none, onStatus: none, close: async () => undefined },
    async publish(topic, payload) {
      if (topic.endsWith('/state')) tell(JSON.parse(payload).safetyState.activeEmergencyStop);
    },
  };
}

test('9: a pulse of 5 ms latches, and so does chatter that always reads back healthy', async () => {
  const pulse = await Rig.ready();
  pulse.pins.press();
  await pulse.run(5);
  pulse.pins.release();
  assert.equal(pulse.cart.view().safety.emergencyStop, 'MANUAL');
  await pulse.close();

  const chatter = await Rig.ready();
  for (let edge = 0; edge < 3; edge++) {
    chatter.pins.glitch();
    await chatter.run(5);
  }
  assert.equal(chatter.cart.view().safety.emergencyStop, 'MANUAL');
  await chatter.close();
});

test('9: not a word is said before the motors are off and the stop frame is sent', async () => {
  const rig = await Rig.ready();
  rig.move(3000);
  await rig.run(300);
  const said: string[] = [];
  rig.log.warn = (event) => {
    assert.equal(rig.pins.enable, false, `${event} came before the motors were off`);
    assert.equal(rig.wire.of('ESTOP').length, 1, `${event} came before the stop frame`);
    said.push(event);
  };
  rig.pins.press();
  assert.deepEqual(said, ['estop.latched', 'estop_input.changed']);
  await rig.close();
});

test('10: a lost edge is caught by the poll, and an input that can no longer be read is a stop', async () => {
  const cut = await Rig.ready();
  cut.pins.healthy = false;
  await cut.run(25);
  assert.equal(cut.cart.view().safety.emergencyStop, 'MANUAL');
  await cut.close();

  const broken = await Rig.ready();
  broken.pins.fault = new Error('EIO: i/o error');
  await broken.run(25);
  const { safety } = broken.cart.view();
  assert.equal(safety.emergencyStop, 'MANUAL');
  assert.match(safety.stoppedBy ?? '', /EIO/);
  await broken.close();
});

test('10: an input that could never be read makes safety unavailable, and motion is refused', async () => {
  const rig = new Rig();
  rig.pins.fault = new Error('no GPIO chip with a known label');
  await rig.cart.start();
  await rig.run(1500);
  assert.throws(() => rig.move(100), code('SAFETY_UNAVAILABLE'));
  assert.match(rig.cart.view().safety.reason, /no GPIO chip/);
  await rig.close();
});

test('11: releasing the button changes nothing; the reset permits, and moves nothing', async () => {
  const rig = await Rig.ready((settings) => {
    settings.gpio.estop.allowRemoteReset = true;
  });
  rig.move(3000);
  rig.move(500, 0, { onBusy: 'queue', ttlMs: 10_000 });
  await rig.run(500);
  rig.pins.press();
  await rig.run(100);
  rig.pins.release();
  await rig.run(1100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  const reset = rig.dispatcher.resetOwn(OPERATOR);
  await rig.run(100);
  await reset;
  const { motions } = rig.controller.snapshot();
  await rig.run(2000);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  assert.equal(rig.controller.snapshot().motions, motions);
  assert.equal(rig.controller.snapshot().speed, 0);
  assert.equal(rig.pins.enable, false);
  rig.move(100);
  assert.equal(rig.controller.snapshot().motions, motions + 1);
  await rig.close();
});

test('12: no reset while the button is pressed, and none from a page for a stop made on the cart', async () => {
  const rig = await Rig.ready();
  rig.pins.press();
  await rig.run(50);
  await assert.rejects(rig.dispatcher.resetOwn(OPERATOR), code('RESET_REFUSED'));
  rig.pins.release();
  await rig.run(500);
  await assert.rejects(rig.dispatcher.resetOwn(OPERATOR), code('RESET_REFUSED'));
  await rig.run(600);
  await assert.rejects(rig.dispatcher.resetOwn(OPERATOR), code('RESET_FORBIDDEN'));
  const local = rig.cart.reset('the reset button on the cart', true);
  await rig.run(100);
  await local;
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  await rig.close();
});

test('12: the reset button on the cart ends a stop made on the cart, and nothing moves', async () => {
  const rig = await Rig.ready();
  rig.controller.pressEstop();
  await rig.run(50);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  rig.controller.pressReset();
  await rig.run(50);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL', 'its button is still pressed');
  rig.controller.releaseEstop();
  const { motions } = rig.controller.snapshot();
  rig.controller.pressReset();
  await rig.run(1000);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  assert.equal(rig.latch.latch.kind, 'NONE');
  assert.deepEqual([rig.pins.enable, rig.controller.snapshot().motions], [false, motions]);
  rig.move(100);
  assert.equal(rig.controller.snapshot().motions, motions + 1);
  await rig.close();
});

test('12: the reset button on the cart does nothing before the input was healthy for a second, nor to a stop from elsewhere', async () => {
  const rig = await Rig.ready();
  rig.pins.press();
  await rig.run(50);
  rig.pins.release();
  await rig.run(500);
  rig.controller.pressReset();
  await rig.run(100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  assert.equal(rig.controller.snapshot().state, 'ESTOP', 'the controller is latched again');
  await rig.run(600);
  rig.controller.pressReset();
  await rig.run(100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  rig.dispatcher.stopOwn('estop', OPERATOR);
  await rig.run(1500);
  rig.controller.pressReset();
  await rig.run(100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'REMOTE');
  assert.equal(rig.controller.snapshot().state, 'ESTOP');
  await rig.close();
});

test('12: a stop that overtakes the reset button on the cart is not ended by it', async () => {
  const rig = await Rig.ready();
  rig.controller.pressEstop();
  await rig.run(50);
  rig.controller.releaseEstop();
  await rig.run(1500);
  const kinds: string[] = [];
  rig.cart.onChange(() => kinds.push(rig.cart.view().safety.emergencyStop));
  // What the controller says of its button is on the way when somebody presses stop on a page.
  rig.controller.pressReset();
  rig.dispatcher.stopOwn('estop', OPERATOR);
  await rig.run(1000);
  assert.deepEqual(new Set(kinds), new Set(['MANUAL']));
  assert.equal(rig.controller.snapshot().state, 'ESTOP');
  rig.controller.pressReset();
  await rig.run(100);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE', 'the next press counts');
  await rig.close();
});

const jsonLines = ({ serial }: { serial: { driver: string } }): void => {
  serial.driver = 'json-lines';
};

test('12: in json-lines the reset button on the cart ends a stop, and a restart of the controller does not', async () => {
  const rig = await Rig.ready(jsonLines);
  for (const [what, act, kind, state] of [
    ['the button', () => rig.controller.pressReset(), 'NONE', 'IDLE'],
    ['a restart', () => rig.controller.reset(), 'MANUAL', 'ESTOP'],
  ] as const) {
    rig.controller.pressEstop();
    await rig.run(50);
    rig.controller.releaseEstop();
    await rig.run(1500);
    act();
    await rig.run(3000);
    assert.equal(rig.cart.view().safety.emergencyStop, kind, what);
    assert.equal(rig.latch.latch.kind, kind, what);
    assert.equal(rig.controller.snapshot().state, state, what);
  }
  await rig.close();
});

test('23: in json-lines, too, a controller that has restarted is greeted again', async () => {
  const rig = await Rig.ready(jsonLines);
  rig.controller.reset();
  await rig.run(3000);
  const command = rig.move(100);
  await rig.run(3000);
  assert.equal(command.state, 'FINISHED');
  await rig.close();
});

test('13: a latch outlives the process, and the controller is told before anything else', async () => {
  const rig = new Rig();
  rig.latch.latch = { kind: 'REMOTE', by: 'Anna', at: '2026-01-01T00:00:00.000Z' };
  await rig.cart.start();
  await rig.run(1500);
  assert.throws(() => rig.move(100), code('ESTOP_ACTIVE'));
  assert.equal(rig.controller.snapshot().state, 'ESTOP');
  const reset = rig.dispatcher.resetOwn(OPERATOR);
  await rig.run(100);
  await reset;
  rig.move(100);
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

test('15: a control loop that was late stops the cart and says so', async () => {
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

test('16: the plug is pulled in mid-move: the command fails, refusals name the cause, and no old byte appears', async () => {
  const rig = await Rig.ready();
  const command = rig.move(3000);
  await rig.run(1000);
  rig.wire.unplug();
  await rig.run(10);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'SERIAL_LOST');
  assert.throws(() => rig.move(100), code('SERIAL_DOWN'));
  assert.equal(rig.pins.enable, false);
  await rig.run(10_000);
  rig.wire.sent.length = 0;
  rig.wire.plug();
  await rig.run(7000);
  assert.equal(rig.cart.view().link?.state, 'READY');
  assert.equal(rig.wire.sent[0]?.type, 'HELLO');
  assert.ok(rig.wire.sent.every(({ type }) => type === 'HELLO' || type === 'LIMITS' || type === 'HEARTBEAT'));
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

test('18: a controller that boots for 2 s with a banner is greeted until it answers', async () => {
  const rig = new Rig();
  rig.controller.power(false);
  await rig.cart.start();
  await rig.run(2000);
  assert.equal(rig.cart.view().link?.state, 'HELLO');
  rig.controller.power(true);
  await rig.run(1000);
  assert.equal(rig.cart.view().link?.state, 'READY');
  await rig.close();
});

test('19: a command that nobody acknowledges is stopped and has failed within 300 ms', async () => {
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

test('20: an acknowledgement gets lost: the frame is repeated, and the cart moves once', async () => {
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

test('a move whose first try got lost is not tried again behind a stop', async () => {
  for (const kind of ['stop', 'halt', 'estop'] as const) {
    const rig = await Rig.ready();
    rig.controller.fault('mute', true);
    const command = rig.move(1000);
    await rig.run(10);
    rig.dispatcher.stopOwn(kind, OPERATOR);
    rig.controller.fault('mute', false);
    await rig.run(700);
    assert.equal(rig.wire.of('MOVE').length, 1, kind);
    assert.equal(command.final, true);
    await rig.close();
  }
});

test('a reset that comes before the controller has told of its stop is refused; the next one holds', async () => {
  const rig = await Rig.ready();
  rig.move(2000);
  await rig.run(500);
  rig.dispatcher.stopOwn('estop', OPERATOR);
  const early = assert.rejects(rig.dispatcher.resetOwn(OPERATOR), code('RESET_REFUSED'));
  await rig.run(50);
  await early;
  assert.equal(rig.cart.view().safety.emergencyStop, 'REMOTE');
  const reset = rig.dispatcher.resetOwn(OPERATOR);
  await rig.run(50);
  await reset;
  await rig.run(1000);
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  await rig.close();
});

test('23: a silent controller is lost: 1 s in motion, 1.5 s at rest, and the command has failed', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.controller.fault('mute', true);
  await rig.run(500);
  assert.equal(rig.cart.view().link?.state, 'DEGRADED');
  assert.equal(command.final, false);
  await rig.run(700);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'SERIAL_LOST');
  await rig.run(1500);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();

  const idle = await Rig.ready();
  idle.controller.fault('mute', true);
  await idle.run(1400);
  assert.equal(idle.link.driver !== undefined, true);
  await idle.run(700);
  assert.equal(idle.link.driver, undefined);
  await idle.close();
});

test('23: a controller that restarts in mid-move fails the command, and nothing resumes', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.controller.reset();
  await rig.run(6000);
  assert.equal(command.state, 'FAILED');
  assert.equal(rig.cart.view().link?.state, 'READY');
  assert.equal(rig.controller.snapshot().motions, 1);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('24: a controller that refuses is believed', async () => {
  const rig = await Rig.ready();
  rig.controller.pressEstop();
  const command = rig.move(500);
  await rig.run(100);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'ESTOP_ACTIVE');
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  await rig.close();
});

test('24: a motion that never ends is given up by the controller, which is believed', async () => {
  const rig = await Rig.ready();
  rig.controller.fault('stall', true);
  const command = rig.move(300);
  await rig.run(9000);
  assert.equal(command.state, 'FAILED');
  assert.equal(rig.cart.busy, false);
  await rig.close();
});

test('24: when nothing is heard of the end, the gateway’s own bound stops the cart with TIMEOUT', async () => {
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

test('25: another protocol version is told apart and blocks motion', async () => {
  const { SimulatedController } = await import('../../../../src/simulator/controller/controller.js');
  const { Wire } = await import('../../../helpers/rig.js');
  const rig = new Rig();
  const controller = new SimulatedController({ clock: rig.clock, dialect: 'cgw1', proto: 2 });
  Object.assign(rig, { wire: new Wire(controller) });
  rig.build();
  await rig.cart.start();
  await rig.run(500);
  assert.equal(rig.cart.view().link?.state, 'INCOMPATIBLE');
  assert.throws(() => rig.move(100), code('INCOMPATIBLE'));
  await rig.close();
  controller.close();
});

test('26: a command whose time runs out in the queue never starts', async () => {
  const rig = await Rig.ready();
  rig.move(1500);
  const waiting = rig.move(200, 0, { onBusy: 'queue', ttlMs: 500 });
  await rig.run(8000);
  assert.equal(waiting.state, 'EXPIRED');
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

test('26: a command whose time runs out between two tries is not sent again, and the cart is stopped', async () => {
  const rig = await Rig.ready();
  rig.controller.fault('mute', true);
  const command = rig.move(1000, 0, { ttlMs: 100 });
  await rig.run(300);
  // After 0 and 60 ms; at 120 ms its time was over. Whether a try got through nobody knows.
  assert.equal(rig.wire.of('MOVE').length, 2);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_ACK_TIMEOUT']);
  assert.ok(rig.wire.of('STOP').length >= 1);
  await rig.close();
});

test('26: a command that is too old when it reaches the controller never starts', async () => {
  const rig = await Rig.ready();
  rig.wire.agedMs = 5000;
  const command = rig.move(1000);
  await rig.run(500);
  assert.deepEqual([command.state, command.reason?.code], ['EXPIRED', 'EXPIRED']);
  assert.equal(rig.controller.snapshot().motions, 0);
  await rig.close();
});

test('26: a queued command takes its turn when its time is long enough', async () => {
  const rig = await Rig.ready();
  rig.move(300);
  const waiting = rig.move(200, 0, { onBusy: 'queue', ttlMs: 10_000 });
  assert.equal(waiting.state, 'QUEUED');
  await rig.run(6000);
  assert.equal(waiting.state, 'FINISHED');
  await rig.close();
});

test('27: a driver who vanishes in mid-jog stops the cart after 500 ms', async () => {
  const rig = await Rig.ready();
  const jog = rig.move(200, 0, { mode: 'jog' });
  for (let word = 0; word < 10; word++) {
    await rig.run(100);
    assert.equal(rig.move(200, 0, { mode: 'jog' }), jog);
  }
  assert.ok(rig.controller.snapshot().speed > 150);
  await rig.run(450);
  assert.equal(jog.state, 'RUNNING');
  await rig.run(150);
  assert.equal(jog.state, 'CANCELLED');
  assert.equal(jog.reason?.code, 'LEASE_ENDED');
  await rig.run(600);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('28: the first source holds control; the second is refused, and its stop is honoured', async () => {
  const rig = await Rig.ready();
  const command = rig.move(3000);
  await rig.run(200);
  assert.throws(() => rig.move(100, 0, {}, PEER), code('CONTROL_HELD'));
  assert.throws(() => rig.move(100, 0, {}, PEER), /, who loses control after 5 s without a command$/);
  rig.dispatcher.stopOwn('stop', PEER);
  await rig.run(50);
  assert.equal(command.state, 'CANCELLED');
  await rig.run(5000);
  assert.equal(rig.move(100, 0, {}, PEER).final, false);
  await rig.close();
});

test('33: whether the wall clock was ever set is told on the tree, as unknown when it is', async () => {
  const rig = await Rig.ready();
  const told = (clockSynced: boolean | undefined) => {
    const body = stateBody({ view: rig.cart.view(), commands: [], actions: [], refused: [], clockSynced });
    return (body as { x: { clockSynced: unknown } }).x.clockSynced;
  };
  assert.deepEqual([told(true), told(false), told(undefined)], [true, false, null]);
  await rig.close();
});

test('33: a step of the wall clock in mid-move changes nothing', async () => {
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

test('44: a hot motor refuses the next move, and a hotter one stops the running one', async () => {
  const rig = await Rig.ready();
  rig.controller.fault('hot', true, 85);
  await rig.run(600);
  assert.throws(() => rig.move(100), code('SAFETY_UNAVAILABLE'));
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

test('a newer command brakes the older one, waits until the cart stands, and runs', async () => {
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

test('a busy cart refuses a command that asked to be refused', async () => {
  const rig = await Rig.ready();
  rig.move(3000);
  assert.throws(() => rig.move(100, 0, { onBusy: 'reject' }), code('BUSY'));
  await rig.close();
});

test('distance 0 and angle 0 are a controlled stop, from anyone and at any time', async () => {
  const rig = await Rig.ready();
  const command = rig.move(3000);
  await rig.run(500);
  const stop = rig.move(0, 0, {}, PEER);
  assert.equal(stop.state, 'FINISHED');
  assert.equal(command.state, 'CANCELLED');
  assert.equal(rig.wire.of('STOP').length, 1);
  await rig.close();
});

test('the twenty-first command of a second is refused, and a stop never is', async () => {
  const rig = await Rig.ready();
  for (let count = 0; count < 20; count++) rig.move(100 + count);
  assert.throws(() => rig.move(99), code('RATE'));
  rig.move(0);
  await rig.close();
});

test('heartbeats come every 100 ms, moving or not', async () => {
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

test('closing in mid-move ramps down, switches off and leaves no timer behind', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  await rig.close();
  assert.equal(command.state, 'CANCELLED');
  assert.ok(rig.wire.of('STOP').some((frame) => frame.type === 'STOP' && frame.category === 1));
  assert.equal(rig.pins.enable, false);
  assert.equal(rig.clock.timers, 0);
});

test('a halt switches the motors off when the cart stands, and at once when it stands already', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.dispatcher.stopOwn('halt', OPERATOR);
  assert.equal(command.state, 'CANCELLED');
  const startMs = rig.clock.now();
  while (rig.cart.busy) {
    await rig.run(5);
  }
  // From 300 mm/s at 500 mm/s² and the next report: well before the 1.5 s after which they go off in any case.
  const tookMs = rig.clock.now() - startMs;
  assert.ok(tookMs > 500 && tookMs < 1000, `${tookMs} ms`);
  rig.pins.levels.length = 0;
  await rig.run(500);
  assert.equal(rig.pins.enable, false);
  assert.ok(!rig.pins.levels.includes(true));
  assert.equal(rig.controller.snapshot().enable, false);

  const standing = await Rig.ready();
  standing.move(50);
  await standing.run(2000);
  standing.dispatcher.stopOwn('halt', OPERATOR);
  assert.equal(standing.pins.enable, false);
  standing.pins.levels.length = 0;
  await standing.run(500);
  assert.ok(!standing.pins.levels.includes(true));
  await rig.close();
  await standing.close();
});

test('a halt whose ramp takes longer than 1.5 s switches the motors off then', async () => {
  const rig = await Rig.ready(({ limits }) => {
    limits.decelMmps2 = 100;
  });
  rig.move(5000);
  await rig.run(1000);
  rig.dispatcher.stopOwn('halt', OPERATOR);
  await rig.run(1450);
  rig.pins.levels.length = 0;
  await rig.run(50);
  assert.ok(rig.pins.levels.includes(true) || rig.pins.enable);
  await rig.run(10);
  assert.equal(rig.pins.enable, false);
  assert.ok(rig.controller.snapshot().speed > 0);
  await rig.close();
});

test('settings that cannot be trusted block motion and say which', async () => {
  const rig = await Rig.ready();
  rig.blocked = 'the section limits of variables.json is not valid';
  assert.throws(() => rig.move(100), code('CONFIG_INVALID'));
  await rig.close();
});

test('where an emergency stop would be forgotten nothing moves, and it stops all the same', async () => {
  const rig = await Rig.ready();
  rig.unkept = 'the file system is read-only';
  assert.throws(() => rig.move(100), code('SAFETY_UNAVAILABLE'));
  const { mayMove, reason } = rig.cart.view().safety;
  assert.deepEqual(
    [mayMove, reason],
    [false, 'an emergency stop would be forgotten at the next start: the file system is read-only'],
  );
  rig.dispatcher.stopOwn('estop', OPERATOR);
  assert.equal(rig.wire.of('ESTOP').length, 1);
  assert.equal(rig.cart.view().safety.emergencyStop, 'REMOTE');
  await rig.close();
});

test('a latch that cannot be saved is one line in the log, however often it is tried', async () => {
  const failures: unknown[] = [];
  const log = { ...quietLog, error: (event: string) => failures.push(event) };
  const clock = new FakeClock();
  const store = { load: async () => UNLATCHED, save: () => Promise.reject(new Error('EIO')) };
  const latch = new EstopLatch(store, clock, log);
  latch.set({ kind: 'REMOTE', by: 'a test', at: '' });
  await latch.save();
  clock.advance(1000);
  await latch.saved();
  assert.deepEqual(failures, ['estop.not_saved']);
  assert.match(latch.fault, /could not be saved: EIO$/);
  latch.close();
});

test('however often the latch changes while it is being saved, it is saved once more, as it is at the end', async () => {
  const written: string[] = [];
  const writes: (() => void)[] = [];
  const save = ({ by }: Latch) => {
    written.push(by);
    return new Promise<void>((resolve) => writes.push(resolve));
  };
  const latch = new EstopLatch({ load: async () => UNLATCHED, save }, new FakeClock(), quietLog);
  for (let press = 0; press < 100; press++) {
    latch.set({ kind: 'REMOTE', by: `press ${press}`, at: '' });
    void latch.save();
    if (press === 0) await settle();
  }
  let isSaved = false;
  const saved = latch.saved().then(() => (isSaved = true));
  writes.shift()?.();
  await settle();
  assert.deepEqual(written, ['press 0', 'press 99']);
  assert.equal(isSaved, false, 'the last press is not on the disk yet');
  writes.shift()?.();
  await saved;
});

test('a stop that the controller does not confirm ends the session, so that its own deadman stops the cart', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.controller.fault('mute', true);
  rig.dispatcher.stopOwn('stop', OPERATOR);
  await rig.run(200);
  assert.equal(command.state, 'CANCELLED');
  assert.equal(rig.link.driver, undefined);
  // Three tries, and the parting word.
  assert.equal(rig.wire.of('STOP').length, 4);
  await rig.run(2500);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('what waits behind a motion that failed does not start from the wrong place', async () => {
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

test('a stop holds against a stick that is still held, until it is let go', async () => {
  const rig = await Rig.ready();
  rig.move(200, 0, { mode: 'jog' });
  await rig.run(100);
  rig.dispatcher.stopOwn('stop', PEER);
  for (let word = 0; word < 10; word++) {
    assert.throws(() => rig.move(200, 0, { mode: 'jog' }), code('STOPPED'));
    await rig.run(100);
  }
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.run(600);
  assert.equal(rig.move(200, 0, { mode: 'jog' }).final, false);
  await rig.close();
});

test('12: the button, pressed again while a reset is under way, stays latched', async () => {
  const rig = await Rig.ready((settings) => {
    settings.gpio.estop.allowRemoteReset = true;
  });
  rig.pins.press();
  await rig.run(20);
  rig.pins.release();
  await rig.run(1500);
  const reset = assert.rejects(rig.dispatcher.resetOwn(OPERATOR), code('RESET_REFUSED'));
  rig.pins.press();
  await rig.run(50);
  await reset;
  rig.pins.release();
  await rig.run(1500);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  assert.equal(rig.latch.latch.kind, 'MANUAL');
  await rig.close();
});

test('a latch cannot be reset while nobody can ask the controller', async () => {
  const rig = await Rig.ready();
  rig.dispatcher.stopOwn('estop', OPERATOR);
  await rig.run(50);
  rig.wire.unplug();
  await rig.run(20);
  await assert.rejects(rig.dispatcher.resetOwn(OPERATOR), code('RESET_REFUSED'));
  await rig.close();
});

test('an emergency stop is acknowledged only when its latch is on disk', async () => {
  const rig = await Rig.ready();
  rig.latch.save = async () => {
    throw new Error('EIO');
  };
  await assert.rejects(rig.dispatcher.stop(1, 'estop', OPERATOR), code('WRITE_FAILED'));
  assert.equal(rig.cart.view().safety.emergencyStop, 'REMOTE');
  assert.match(JSON.stringify(rig.cart.view().faults), /could not be saved/);
  await rig.close();
});

/** The cart of a rig on the tree: tells what it is told, and notes its states and its answers. */
function onTree(rig: Rig) {
  const said: string[] = [];
  const bus = busTo((stop) => said.push(stop));
  const topics = new Map<string, (message: BusMessage) => void>();
  bus.subscribe = (topic, listener) => {
    topics.set(topic, listener);
    return () => undefined;
  };
  const { publish } = bus;
  let basis = {};
  bus.publish = async (topic, payload, options) => {
    const { state, reason, sessionId, headerId } = JSON.parse(payload);
    if (topic.endsWith('/ack')) said.push(`${state} ${reason?.code}`);
    if (topic.endsWith('/state')) basis = { sessionId, stateHeaderId: headerId };
    await publish(topic, payload, options);
  };
  const agent = new TreeAgent({
    ...{ bus, dispatcher: rig.dispatcher, identity: identityOf(1), clock: rig.clock, log: quietLog },
    ...{ factsheet: () => ({}), rules: () => rig.settings },
  });
  agent.start();
  const say = (to: string, action: object) => {
    const topic = `cart/v1/site1/${to}/instantActions`;
    topics.get(topic)?.({ topic, payload: Buffer.from(JSON.stringify(action)), retain: false });
  };
  const close = async () => {
    const closed = agent.close();
    await rig.run(1000);
    await closed;
    await rig.close();
  };
  return { said, say, close, newestState: () => basis };
}

test('over MQTT as well an emergency stop is acknowledged only when its latch is on disk', async () => {
  const rig = await Rig.ready();
  rig.latch.save = async () => {
    throw new Error('EROFS');
  };
  const { said, say, close } = onTree(rig);
  said.length = 0;
  say('_all', actionMessage('emergencyStop'));
  assert.equal(rig.wire.of('ESTOP').length, 1);
  await rig.run(50);
  assert.deepEqual(said, ['REMOTE', 'FAILED WRITE_FAILED']);
  assert.equal(rig.cart.view().safety.emergencyStop, 'REMOTE');
  await close();
});

test('a reset over MQTT that was under way does not end a later emergency stop, whatever made that one', async () => {
  const again = {
    button: ({ pins }: Rig) => pins.press(),
    page: ({ dispatcher }: Rig) => dispatcher.stopOwn('estop', OPERATOR),
    controller: ({ controller }: Rig) => controller.pressEstop(),
  };
  for (const [name, press] of Object.entries(again)) {
    const rig = await Rig.ready();
    const { said, say, close, newestState } = onTree(rig);
    rig.dispatcher.stopOwn('estop', OPERATOR);
    const stalled = actionMessage('emergencyStopReset', { basis: newestState() });
    await rig.run(500);
    const reset = rig.dispatcher.resetOwn(OPERATOR);
    await rig.run(100);
    await reset;
    assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
    press(rig);
    await rig.run(50);
    said.length = 0;
    say('1', stalled);
    await rig.run(10);
    assert.ok(said.includes('REJECTED EXPIRED'), `${name}: ${said}`);
    assert.notEqual(rig.cart.view().safety.emergencyStop, 'NONE', name);
    await close();
  }
});

test('a reset that quotes the state in which the emergency stop was told ends it', async () => {
  const rig = await Rig.ready();
  const { said, say, close, newestState } = onTree(rig);
  const before = actionMessage('emergencyStopReset', { basis: newestState() });
  say('1', actionMessage('emergencyStop'));
  // Told before a millisecond has passed.
  const reset = actionMessage('emergencyStopReset', { basis: newestState() });
  await rig.run(500);
  said.length = 0;
  say('1', before);
  say('1', reset);
  await rig.run(100);
  assert.deepEqual(
    said.filter((word) => word.includes(' ')),
    ['REJECTED EXPIRED', 'FINISHED undefined'],
  );
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  await close();
});

test('a stop under an id that was used for something else stops all the same', async () => {
  const rig = await Rig.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000009';
  const command = rig.move(3000, 0, { commandId });
  await rig.run(500);
  assert.throws(() => rig.move(0, 0, { commandId }), code('ID_REUSED'));
  assert.equal(command.state, 'CANCELLED');
  await rig.close();
});

test('a stop that cannot be sent does not claim to have been', async () => {
  const rig = await Rig.ready();
  rig.wire.unplug();
  await rig.run(10);
  assert.equal(rig.move(0).state, 'FAILED');
  await rig.close();
});

test('21: a line that breaks ten frames in a second is stopped and begun anew', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.controller.fault('noise', true, 20);
  await rig.run(1500);
  rig.controller.fault('noise', false);
  assert.equal(command.state, 'FAILED');
  await rig.run(6000);
  assert.equal(rig.cart.view().link?.state, 'READY');
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('a session that is given up says stop before it falls silent', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.controller.fault('mute', true);
  await rig.run(1100);
  assert.equal(command.state, 'FAILED');
  assert.ok(rig.wire.of('STOP').length >= 1);
  await rig.run(700);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('settings that change during the handshake leave one connection, and it is the new one', async () => {
  const rig = new Rig();
  rig.controller.power(false);
  await rig.cart.start();
  await rig.run(600);
  rig.link.restart();
  await rig.run(100);
  rig.controller.power(true);
  await rig.run(6000);
  assert.equal(rig.cart.view().link?.state, 'READY');
  const command = rig.move(200);
  await rig.run(3000);
  assert.equal(command.state, 'FINISHED');
  await rig.close();
  assert.equal(rig.clock.timers, 0);
});

test('the pulses of the enable output end with the power', async () => {
  const rig = await Rig.ready();
  rig.pins.levels.length = 0;
  rig.move(2000);
  await rig.run(1000);
  const edges = rig.pins.levels.filter((level, at) => level !== rig.pins.levels[at - 1]).length;
  assert.ok(edges >= 18, `${edges} edges in a second`);
  rig.dispatcher.stopOwn('halt', OPERATOR);
  await rig.run(2000);
  rig.pins.levels.length = 0;
  await rig.run(1000);
  assert.ok(!rig.pins.levels.includes(true));
  await rig.close();
});

test('the ninth command that wants to wait is refused', async () => {
  const rig = await Rig.ready();
  rig.move(5000);
  for (let count = 0; count < 8; count++) rig.move(100 + count, 0, { onBusy: 'queue' });
  assert.throws(() => rig.move(99, 0, { onBusy: 'queue' }), code('QUEUE_FULL'));
  await rig.close();
});

test.run();
