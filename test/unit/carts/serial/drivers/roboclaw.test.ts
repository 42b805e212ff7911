import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Settings } from '../../../../../src/settings/schema/schema.js';
import { userActor } from '../../../../../src/shared/actor.js';
import { textOf } from '../../../../../src/shared/messages/message.js';
import { CartHarness } from '../../../../helpers/cart-harness.js';
import { crcByBits, decodeRoboclaw } from '../board-decoders.js';

const test = suite('cart with the roboclaw driver');

const ready = (more: (settings: Settings) => void = () => undefined): Promise<CartHarness> =>
  CartHarness.ready((settings) => {
    settings.serial.driver = 'roboclaw';
    more(settings);
  });

test('a command reaches ACKNOWLEDGED when the board acknowledges a speed command', async () => {
  const harness = await ready();
  const { driver, delivery, firmware, simulated, counters } = harness.link.view();
  assert.deepEqual([driver, delivery, simulated], ['roboclaw', 'confirmed', true]);
  assert.match(firmware ?? '', /^RoboClaw 2x15a v/);
  assert.deepEqual([counters.dropped, counters.retried], [0, 0]);
  const command = harness.move(100);
  await harness.run(3000);
  assert.deepEqual(
    command.transitions.map(({ state }) => state),
    ['ACCEPTED', 'SENT', 'ACKNOWLEDGED', 'RUNNING', 'FINISHED'],
  );
  assert.deepEqual(harness.cart.view().faults, []);
  await harness.close();
});

test('starts every session with a stop, a version query and a verified watchdog setting', async () => {
  const harness = await ready();
  const first = Buffer.from(harness.wire.bytes.slice(0, 31)).toString('hex');
  assert.equal(first, '800800b2f3800a00d4918015800800b2f3800a00d491800e0548f0800f805a');
  await harness.close();
});

test('does not report a pose when there are no encoders', async () => {
  const harness = await ready();
  harness.move(100);
  await harness.run(3000);
  assert.equal('pose' in harness.cart.view(), false);
  await harness.close();
});

test('reads and monitors the battery voltage and temperature', async () => {
  const harness = await ready();
  await harness.run(1500);
  const { batteryMv = 0, tempBoardC } = harness.cart.view().telemetry ?? {};
  assert.ok(Math.abs((batteryMv ?? 0) - harness.controller.snapshot().batteryMv) <= 100, `${batteryMv} mV`);
  assert.ok((tempBoardC ?? 0) > 20);
  harness.settings.limits.minBatteryMv = 22_000;
  harness.controller.fault('lowBattery', true, 21_000);
  await harness.run(1500);
  assert.throws(() => harness.move(100), { code: 'SAFETY_UNAVAILABLE' });
  assert.ok(harness.cart.view().telemetry?.faults.includes('undervolt'));
  await harness.close();
});

for (const temperature of [-1, -5, -40]) {
  test(`reads a board temperature of ${temperature} °C`, async () => {
    const harness = await ready();
    harness.controller.fault('hot', true, temperature);
    await harness.run(1500);
    assert.equal(harness.cart.view().telemetry?.tempBoardC, temperature);
    assert.equal(harness.move(100).state, 'SENT');
    await harness.close();
  });
}

test('ends the motion on a board error and reports the error', async () => {
  const harness = await ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.controller.fault('hot', true, 95);
  await harness.run(1500);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'PROTECTIVE_STOP']);
  assert.match(textOf(command.reason?.text ?? ''), /controller board too hot/);
  assert.throws(() => harness.move(100), { code: 'SAFETY_UNAVAILABLE' });
  harness.controller.fault('hot', false);
  await harness.run(1500);
  const next = harness.move(100);
  await harness.run(3000);
  assert.equal(next.state, 'FINISHED');
  await harness.close();
});

test("the board's E-stop button latches the E-stop, and a reset is rejected while the button is pressed", async () => {
  const harness = await ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.controller.pressEstop();
  await harness.run(200);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ESTOP_ACTIVE']);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  const refused = assert.rejects(harness.cart.estop.reset(userActor('the reset on the cart'), true), {
    code: 'RESET_REFUSED',
  });
  await harness.run(100);
  await refused;
  harness.controller.releaseEstop();
  await harness.run(2000);
  assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
  const reset = harness.cart.estop.reset(userActor('the reset on the cart'), true);
  await harness.run(100);
  await reset;
  assert.equal(harness.controller.snapshot().speed, 0);
  const next = harness.move(100);
  await harness.run(3000);
  assert.equal(next.state, 'FINISHED');
  await harness.close();
});

test('repeats a packet after a lost acknowledgement and continues the motion', async () => {
  const harness = await ready();
  harness.controller.fault('dropAck', true, 2);
  const command = harness.move(500);
  await harness.run(5000);
  assert.equal(command.state, 'FINISHED');
  assert.ok(harness.link.view().counters.retried > 0);
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test('ends the session and does not start a motion when the board does not acknowledge packets', async () => {
  const harness = await ready();
  harness.controller.fault('dropAck', true, 1_000_000);
  harness.wire.bytes.length = 0;
  const command = harness.move(500);
  await harness.run(400);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_ACK_TIMEOUT']);
  assert.equal(harness.controller.snapshot().motions, 0);
  assert.notEqual(harness.link.view().state, 'READY');
  await harness.close();
});

test('an unconfirmed stop ends the session, and the board stops the cart', async () => {
  const harness = await ready();
  harness.move(5000);
  await harness.run(1500);
  harness.controller.fault('mute', true);
  harness.cart.stop('stop', userActor('anna'));
  await harness.run(1500);
  assert.equal(harness.controller.snapshot().speed, 0);
  assert.equal(harness.link.driver, undefined);
  await harness.close();
});

test('rejects new commands and fails the running command when the board stops responding', async () => {
  const harness = await ready();
  const command = harness.move(8000);
  await harness.run(1500);
  harness.controller.fault('mute', true);
  await harness.run(500);
  assert.equal(harness.link.view().state, 'DEGRADED');
  await harness.run(1000);
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_LOST']);
  assert.equal(harness.controller.snapshot().speed, 0);
  harness.controller.fault('mute', false);
  await harness.run(8000);
  assert.equal(harness.link.view().state, 'READY');
  await harness.close();
});

test('counts noise, ends the session when the noise limit is exceeded, and then reconnects', async () => {
  const harness = await ready();
  const command = harness.move(8000);
  await harness.run(1500);
  harness.controller.fault('noise', true, 15);
  await harness.run(2000);
  assert.ok(harness.link.view().counters.dropped > 0);
  assert.equal(command.state, 'FAILED');
  assert.equal(harness.controller.snapshot().speed, 0);
  harness.controller.fault('noise', false);
  await harness.run(10_000);
  assert.equal(harness.link.view().state, 'READY');
  await harness.close();
});

test('ignores replies with a wrong checksum', async () => {
  const harness = await ready();
  await harness.run(1500);
  const before = harness.cart.view().telemetry;
  harness.controller.fault('corrupt', true, 1);
  await harness.run(1000);
  const { dropped } = harness.link.view().counters;
  assert.ok(dropped > 0);
  const after = harness.cart.view().telemetry;
  if (after) assert.deepEqual([after.state, after.batteryMv], [before?.state, before?.batteryMv]);
  await harness.close();
});

test('sets the watchdog again after a power cycle of the board', async () => {
  const harness = await ready();
  const command = harness.move(8000);
  await harness.run(1500);
  harness.wire.bytes.length = 0;
  harness.controller.reset();
  await harness.run(2500);
  assert.equal(command.state, 'FAILED');
  assert.ok(['CONTROLLER_RESET', 'SERIAL_LOST'].includes(command.reason?.code ?? ''), command.reason?.code);
  await harness.run(3000);
  assert.equal(harness.link.view().state, 'READY');
  assert.ok(decodeRoboclaw(harness.wire.bytes).some(({ command, value }) => command === 14 && value === 5));
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

test('rejects a board that does not store the watchdog timeout, and reports the reason', async () => {
  const harness = new CartHarness((settings) => {
    settings.serial.driver = 'roboclaw';
  });
  // The board acknowledges the timeout setting but reports a timeout of 0.
  const lie = Uint8Array.of(0, ...bytesOf(crcByBits([0x80, 15, 0])));
  harness.wire.replace((bytes) => (bytes.length === 3 ? lie : bytes));
  await harness.cart.start();
  await harness.run(1500);
  assert.equal(harness.link.view().state, 'INCOMPATIBLE');
  assert.match(
    textOf(harness.link.view().reason),
    /the controller's serial timeout is 0 ms instead of 500 ms/,
  );
  assert.throws(() => harness.move(100), { code: 'INCOMPATIBLE' });
  await harness.close();
});

test('reports that no controller responded when the board has a different address', async () => {
  const harness = await ready(({ serial }) => {
    serial.address = 130;
  });
  // The gateway tries to connect for 5 s, of which 1.5 s have passed. The next session starts at least 200 ms
  // later.
  await harness.run(3600);
  assert.match(
    textOf(harness.link.view().reason),
    /no controller responded to the roboclaw driver within 5 s/,
  );
  assert.throws(() => harness.move(100), { code: 'SERIAL_DOWN' });
  await harness.close();
});

function bytesOf(word: number): [number, number] {
  return [word >> 8, word & 0xff];
}

test.run();
