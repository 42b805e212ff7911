import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Settings } from '../../../../../src/settings/schema/schema.js';
import { textOf } from '../../../../../src/shared/messages/message.js';
import { CartHarness } from '../../../../helpers/cart-harness.js';
import { decodeSabertooth } from '../board-decoders.js';

/** Tests a board that sends no replies. The gateway reports that commands are not confirmed. */
const test = suite('cart with the sabertooth driver');

const choose = (settings: Settings): void => {
  settings.serial.driver = 'sabertooth';
  settings.serial.baudRate = 9600;
};

const ready = (more: (settings: Settings) => void = () => undefined): Promise<CartHarness> =>
  CartHarness.ready((settings) => {
    choose(settings);
    settings.safety.allowNoWatchdog = true;
    more(settings);
  });

test('rejects the controller unless the settings permit an unverified watchdog', async () => {
  const harness = await CartHarness.ready(choose);
  assert.equal(harness.link.view().state, 'INCOMPATIBLE');
  assert.match(textOf(harness.link.view().reason), /does not confirm commands/);
  assert.throws(() => harness.move(100), { code: 'INCOMPATIBLE' });
  assert.deepEqual(harness.wire.bytes, []);
  await harness.close();
});

test('starts every session with the baud byte, the watchdog and a stop', async () => {
  const harness = await ready();
  const first = Buffer.from(harness.wire.bytes.slice(0, 13)).toString('hex');
  assert.equal(first, 'aa800e051380080008800a000a');
  await harness.close();
});

test('reports that the connected controller does not confirm commands', async () => {
  const harness = await ready();
  assert.equal(harness.link.view().delivery, 'unconfirmed');
  const [fault] = harness.cart.view().faults;
  assert.match(
    textOf(fault?.message ?? ''),
    /does not confirm commands, .* that the Sabertooth stops after 500 ms without a message/,
  );
  await harness.close();
});

test('a command never reaches ACKNOWLEDGED, and the end of its motion is estimated', async () => {
  const harness = await ready();
  const command = harness.move(100);
  await harness.run(3000);
  assert.deepEqual(
    command.transitions.map(({ state, cause }) => [state, cause]),
    [
      ['ACCEPTED', 'valid'],
      ['SENT', 'passed to the serial line'],
      ['RUNNING', 'unconfirmed: this controller does not acknowledge commands'],
      ['FINISHED', 'estimated'],
    ],
  );
  await harness.close();
});

test('sets the watchdog after the baud byte, every 5 s and before every motion', async () => {
  const harness = await ready();
  harness.wire.bytes.length = 0;
  await harness.run(20_000);
  assert.equal(decodeSabertooth(harness.wire.bytes).filter(({ command }) => command === 14).length, 4);
  assert.equal(harness.wire.bytes.filter((byte) => byte === 0xaa).length, 4);
  harness.wire.bytes.length = 0;
  harness.move(100);
  await harness.run(100);
  const packets = decodeSabertooth(harness.wire.bytes);
  const watchdog = packets.findIndex(({ command }) => command === 14);
  const motion = packets.findIndex(({ command, value }) => command === 8 && value !== 0);
  assert.ok(watchdog >= 0 && watchdog < motion, JSON.stringify(packets));
  await harness.close();
});

test('restores a lost watchdog setting within 5 s', async () => {
  const harness = await ready();
  harness.move(10_000);
  await harness.run(1000);
  harness.controller.reset();
  await harness.run(5500);
  harness.wire.unplug();
  await harness.run(1000);
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

test('ignores bytes received from the board', async () => {
  const harness = await ready();
  harness.controller.fault('noise', true, 10);
  const command = harness.move(300);
  await harness.run(4000);
  assert.equal(command.state, 'FINISHED');
  await harness.close();
});

test.run();
