import assert from 'node:assert/strict';
import { test } from 'uvu';
import { SimulatedController } from '../../../../src/simulator/controller/controller.js';
import { hasCode } from '../../../helpers/has-code.js';
import { Rig, Wire } from '../../../helpers/rig.js';

// Fault case 23
test('a json-lines controller is greeted again after a restart', async () => {
  const rig = await Rig.ready(({ serial }) => {
    serial.driver = 'json-lines';
  });
  rig.controller.reset();
  await rig.run(3000);
  const command = rig.move(100);
  await rig.run(3000);
  assert.equal(command.state, 'FINISHED');
  await rig.close();
});

// Fault case 16
test('a disconnected controller fails the command, and reconnecting replays no old frame', async () => {
  const rig = await Rig.ready();
  const command = rig.move(3000);
  await rig.run(1000);
  rig.wire.unplug();
  await rig.run(10);
  assert.equal(command.state, 'FAILED');
  assert.equal(command.reason?.code, 'SERIAL_LOST');
  assert.throws(() => rig.move(100), hasCode('SERIAL_DOWN'));
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

// Fault case 18
test('the link repeats HELLO until a booting controller answers', async () => {
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

// Fault case 23
test('a silent controller is lost after 1 s in motion and 1.5 s at rest', async () => {
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

// Fault case 23
test('a controller that restarts in mid-move fails the command and resumes nothing', async () => {
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

// Fault case 25
test('another protocol version makes the link INCOMPATIBLE and blocks motion', async () => {
  const rig = new Rig();
  const controller = new SimulatedController({ clock: rig.clock, dialect: 'cgw1', proto: 2 });
  Object.assign(rig, { wire: new Wire(controller) });
  rig.build();
  await rig.cart.start();
  await rig.run(500);
  assert.equal(rig.cart.view().link?.state, 'INCOMPATIBLE');
  assert.throws(() => rig.move(100), hasCode('INCOMPATIBLE'));
  await rig.close();
  controller.close();
});

// Fault case 21
test('a line that breaks ten frames within a second is stopped and reconnected', async () => {
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

test('a session that is given up sends a stop first', async () => {
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

test('a settings change during the handshake leaves only the new connection', async () => {
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

test.run();
