import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Settings } from '../../../../../src/settings/schema/schema.js';
import { Rig } from '../../../../helpers/rig.js';
import { sabertoothHears } from '../board-listeners.js';

/** What nobody knows of a board that never answers, and how that is said. */
const test = suite('a cart on sabertooth');

const choose = (settings: Settings): void => {
  settings.serial.driver = 'sabertooth';
  settings.serial.baudRate = 9600;
};

const ready = (more: (settings: Settings) => void = () => undefined): Promise<Rig> =>
  Rig.ready((settings) => {
    choose(settings);
    settings.safety.allowNoWatchdog = true;
    more(settings);
  });

test('it is refused until somebody accepts that its watchdog is not proven', async () => {
  const rig = await Rig.ready(choose);
  assert.equal(rig.link.view().state, 'INCOMPATIBLE');
  assert.match(rig.link.view().reason, /never answers/);
  assert.throws(() => rig.move(100), { code: 'INCOMPATIBLE' });
  assert.deepEqual(rig.wire.bytes, []);
  await rig.close();
});

test('the first bytes of every session are these', async () => {
  const rig = await ready();
  const first = Buffer.from(rig.wire.bytes.slice(0, 13)).toString('hex');
  assert.equal(first, 'aa800e0513800c404c800d404d');
  await rig.close();
});

test('what is not protected is said for as long as it is connected', async () => {
  const rig = await ready();
  assert.equal(rig.link.view().delivery, 'unconfirmed');
  const [fault] = rig.cart.view().faults;
  assert.match(fault?.message ?? '', /never answers: .* whether it stops by itself after 500 ms of silence/);
  await rig.close();
});

test('no state claims that the board has answered, and the end is an estimate', async () => {
  const rig = await ready();
  const command = rig.move(100);
  await rig.run(3000);
  assert.deepEqual(
    command.transitions.map(({ state, cause }) => [state, cause]),
    [
      ['ACCEPTED', 'valid'],
      ['SENT', 'handed to the line'],
      ['RUNNING', 'unconfirmed: this controller does not answer'],
      ['FINISHED', 'estimated'],
    ],
  );
  await rig.close();
});

test('the watchdog is set again every 5 s at rest and with every motion, after the byte that older units wait for', async () => {
  const rig = await ready();
  rig.wire.bytes.length = 0;
  await rig.run(20_000);
  assert.equal(sabertoothHears(rig.wire.bytes).filter(({ command }) => command === 14).length, 4);
  assert.equal(rig.wire.bytes.filter((byte) => byte === 0xaa).length, 4);
  rig.wire.bytes.length = 0;
  rig.move(100);
  await rig.run(20);
  const commands = sabertoothHears(rig.wire.bytes).map(({ command }) => command);
  assert.ok(commands.indexOf(14) >= 0 && commands.indexOf(14) < commands.indexOf(8), commands.join(' '));
  await rig.close();
});

test('a board that has forgotten its watchdog keeps running on at most until the next reminder', async () => {
  const rig = await ready();
  rig.move(10_000);
  await rig.run(1000);
  rig.controller.reset();
  await rig.run(5500);
  rig.wire.unplug();
  await rig.run(1000);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('what comes in on the line of a board that never speaks is noise, and changes nothing', async () => {
  const rig = await ready();
  rig.controller.fault('noise', true, 10);
  const command = rig.move(300);
  await rig.run(4000);
  assert.equal(command.state, 'FINISHED');
  await rig.close();
});

test.run();
