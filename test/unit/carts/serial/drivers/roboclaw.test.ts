import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Settings } from '../../../../../src/settings/schema/schema.js';
import { Rig } from '../../../../helpers/rig.js';
import { crcByBits, roboclawHears } from '../board-listeners.js';

/** What a RoboClaw tells, and what is made of it; a whole cart on a simulated board. */
const test = suite('a cart on roboclaw');

const ready = (more: (settings: Settings) => void = () => undefined): Promise<Rig> =>
  Rig.ready((settings) => {
    settings.serial.driver = 'roboclaw';
    more(settings);
  });

test('every speed is acknowledged, and the states say so', async () => {
  const rig = await ready();
  const { driver, delivery, firmware, simulated, counters } = rig.link.view();
  assert.deepEqual([driver, delivery, simulated], ['roboclaw', 'confirmed', true]);
  assert.match(firmware ?? '', /^RoboClaw 2x15a v/);
  assert.deepEqual([counters.dropped, counters.retried], [0, 0]);
  const command = rig.move(100);
  await rig.run(3000);
  assert.deepEqual(
    command.transitions.map(({ state }) => state),
    ['ACCEPTED', 'SENT', 'ACKNOWLEDGED', 'RUNNING', 'FINISHED'],
  );
  assert.deepEqual(rig.cart.view().faults, []);
  await rig.close();
});

test('the first bytes of every session are these: version, stop, watchdog, and whether it was kept', async () => {
  const rig = await ready();
  const first = Buffer.from(rig.wire.bytes.slice(0, 21)).toString('hex');
  assert.equal(first, '8015800c4036f3800d4005c2800e0548f0800f805a');
  await rig.close();
});

test('no place is made up: a pose needs wheels that are counted', async () => {
  const rig = await ready();
  rig.move(100);
  await rig.run(3000);
  assert.equal('pose' in rig.cart.view(), false);
  await rig.close();
});

test('battery and temperature are measured, and watched', async () => {
  const rig = await ready();
  await rig.run(1500);
  const { batteryMv = 0, tempBoardC } = rig.cart.view().telemetry ?? {};
  assert.ok(Math.abs((batteryMv ?? 0) - rig.controller.snapshot().batteryMv) <= 100, `${batteryMv} mV`);
  assert.ok((tempBoardC ?? 0) > 20);
  rig.settings.limits.minBatteryMv = 22_000;
  rig.controller.fault('lowBattery', true, 21_000);
  await rig.run(1500);
  assert.throws(() => rig.move(100), { code: 'SAFETY_UNAVAILABLE' });
  assert.ok(rig.cart.view().telemetry?.faults.includes('undervolt'));
  await rig.close();
});

test('an error of the board ends the motion and is named', async () => {
  const rig = await ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.controller.fault('hot', true, 95);
  await rig.run(1500);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'PROTECTIVE_STOP']);
  assert.match(command.reason?.text ?? '', /controller board too hot/);
  assert.throws(() => rig.move(100), { code: 'SAFETY_UNAVAILABLE' });
  rig.controller.fault('hot', false);
  await rig.run(1500);
  const next = rig.move(100);
  await rig.run(3000);
  assert.equal(next.state, 'FINISHED');
  await rig.close();
});

test('the button at the board latches here; letting it go is no reset, and a reset is refused while it is pressed', async () => {
  const rig = await ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.controller.pressEstop();
  await rig.run(200);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ESTOP_ACTIVE']);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  const refused = assert.rejects(rig.cart.reset('the reset on the cart', true), { code: 'RESET_REFUSED' });
  await rig.run(100);
  await refused;
  rig.controller.releaseEstop();
  await rig.run(2000);
  assert.equal(rig.cart.view().safety.emergencyStop, 'MANUAL');
  const reset = rig.cart.reset('the reset on the cart', true);
  await rig.run(100);
  await reset;
  assert.equal(rig.controller.snapshot().speed, 0);
  const next = rig.move(100);
  await rig.run(3000);
  assert.equal(next.state, 'FINISHED');
  await rig.close();
});

test('an acknowledgement that gets lost costs a repetition, not the motion', async () => {
  const rig = await ready();
  rig.controller.fault('dropAck', true, 2);
  const command = rig.move(500);
  await rig.run(5000);
  assert.equal(command.state, 'FINISHED');
  assert.ok(rig.link.view().counters.retried > 0);
  assert.equal(rig.controller.snapshot().motions, 1);
  await rig.close();
});

test('a board that acknowledges nothing is given no speed, and loses its session', async () => {
  const rig = await ready();
  rig.controller.fault('dropAck', true, 1_000_000);
  rig.wire.bytes.length = 0;
  const command = rig.move(500);
  await rig.run(400);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_ACK_TIMEOUT']);
  assert.equal(rig.controller.snapshot().motions, 0);
  assert.notEqual(rig.link.view().state, 'READY');
  await rig.close();
});

test('a stop that nobody confirms ends the session, so that the board stops by its own watchdog', async () => {
  const rig = await ready();
  rig.move(5000);
  await rig.run(1500);
  rig.controller.fault('mute', true);
  rig.cart.stop('stop', 'somebody');
  await rig.run(1500);
  assert.equal(rig.controller.snapshot().speed, 0);
  assert.equal(rig.link.driver, undefined);
  await rig.close();
});

test('a board that falls silent in mid-move is noticed: nothing new is taken, and the command fails', async () => {
  const rig = await ready();
  const command = rig.move(8000);
  await rig.run(1500);
  rig.controller.fault('mute', true);
  await rig.run(500);
  assert.equal(rig.link.view().state, 'DEGRADED');
  await rig.run(1000);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_LOST']);
  assert.equal(rig.controller.snapshot().speed, 0);
  rig.controller.fault('mute', false);
  await rig.run(8000);
  assert.equal(rig.link.view().state, 'READY');
  await rig.close();
});

test('noise is counted, ends the session when it is too much, and is over when it is over', async () => {
  const rig = await ready();
  const command = rig.move(8000);
  await rig.run(1500);
  rig.controller.fault('noise', true, 15);
  await rig.run(2000);
  assert.ok(rig.link.view().counters.dropped > 0);
  assert.equal(command.state, 'FAILED');
  assert.equal(rig.controller.snapshot().speed, 0);
  rig.controller.fault('noise', false);
  await rig.run(10_000);
  assert.equal(rig.link.view().state, 'READY');
  await rig.close();
});

test('answers with a wrong checksum are never believed', async () => {
  const rig = await ready();
  await rig.run(1500);
  const before = rig.cart.view().telemetry;
  rig.controller.fault('corrupt', true, 1);
  await rig.run(1000);
  const { dropped } = rig.link.view().counters;
  assert.ok(dropped > 0);
  const after = rig.cart.view().telemetry;
  if (after) assert.deepEqual([after.state, after.batteryMv], [before?.state, before?.batteryMv]);
  await rig.close();
});

test('a board that was switched off and on has forgotten its watchdog, and is set up anew', async () => {
  const rig = await ready();
  const command = rig.move(8000);
  await rig.run(1500);
  rig.wire.bytes.length = 0;
  rig.controller.reset();
  await rig.run(2500);
  assert.equal(command.state, 'FAILED');
  assert.ok(['CONTROLLER_RESET', 'SERIAL_LOST'].includes(command.reason?.code ?? ''), command.reason?.code);
  await rig.run(3000);
  assert.equal(rig.link.view().state, 'READY');
  assert.ok(roboclawHears(rig.wire.bytes).some(({ command, value }) => command === 14 && value === 5));
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('a board that does not keep its watchdog moves nothing, and the reason says so', async () => {
  const rig = new Rig((settings) => {
    settings.serial.driver = 'roboclaw';
  });
  // A board that acknowledges the timeout and answers 0 when it is asked for it.
  const lie = Uint8Array.of(0, ...bytesOf(crcByBits([0x80, 15, 0])));
  rig.wire.replace((bytes) => (bytes.length === 3 ? lie : bytes));
  await rig.cart.start();
  await rig.run(1500);
  assert.equal(rig.link.view().state, 'INCOMPATIBLE');
  assert.match(rig.link.view().reason, /keeps a serial timeout of 0 ms, not of 500 ms/);
  assert.throws(() => rig.move(100), { code: 'INCOMPATIBLE' });
  await rig.close();
});

test('another address is another board: nobody answers', async () => {
  const rig = await ready(({ serial }) => {
    serial.address = 130;
  });
  // 5 s of asking, of which 1.5 s have passed; the next session begins 200 ms later at the earliest.
  await rig.run(3600);
  assert.match(rig.link.view().reason, /no controller answered on roboclaw within 5 s/);
  assert.throws(() => rig.move(100), { code: 'SERIAL_DOWN' });
  await rig.close();
});

function bytesOf(word: number): [number, number] {
  return [word >> 8, word & 0xff];
}

test.run();
