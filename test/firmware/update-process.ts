import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { simulatedPins } from '../../src/adapters/gpio/simulated.js';
import { serialOpener } from '../../src/adapters/serialport/serialport.js';
import { composeCart } from '../../src/app/composition/create-cart.js';
import { openFlasher } from '../../src/app/composition/firmware.js';
import { FirmwareUpdate } from '../../src/carts/firmware/firmware-update.js';
import { ReleaseFirmware } from '../../src/carts/firmware/release.js';
import { memoryLatch } from '../../src/carts/safety/latch-store.js';
import { defaultSettings } from '../../src/settings/schema/schema.js';
import { userActor } from '../../src/shared/actor.js';
import { systemClock } from '../../src/shared/clock.js';
import { messageOf } from '../../src/shared/errors.js';
import { BOARDS } from '../../src/shared/ports/serial.js';
import { OPERATOR, quietLog } from '../helpers/cart-harness.js';

/**
 * A gateway's cart and its firmware update, on a real serial line. Arguments: the data directory, a folder
 * that contains `firmware/build`, and the serial device. Commands on the standard input: `update BOARD`,
 * `move`. Prints its state as JSON lines; SIGTERM closes it.
 */
const [dataDir = '', root = '', path = ''] = process.argv.slice(2);
const print = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);
const clock = systemClock;
const warn = (event: string, fields?: object): void => print({ log: event, ...fields });
const log = { ...quietLog, warn };
const settings = structuredClone(defaultSettings());
settings.safety.acceptNoEstop = true;
const pins = simulatedPins({ now: () => clock.now(), onEnable: (on) => print({ enable: on }) });
const { record, flasher } = await openFlasher({ config: { dataDir } as never, clock, log });
const opener = serialOpener({ path, baudRate: settings.serial.baudRate, log });
const { cart, dispatcher, link } = composeCart({
  cartId: 1,
  name: () => 'Cart 1',
  opener: () => opener,
  pins,
  latchStore: memoryLatch(),
  settings: () => settings,
  settingsInvalidReason: () => '',
  latchUnsavableReason: () => '',
  firmwareBlock: () => record.motionBlock,
  softwareBlock: () => '',
  brokerDown: () => false,
  clock,
  log,
});
await cart.start();
const release = await ReleaseFirmware.open(root, log);
const update = new FirmwareUpdate({
  record,
  flasher,
  release,
  cart,
  link,
  clock,
  log,
  serial: () => settings.serial,
  onWritten: () => undefined,
});
const report = (): void => {
  const { phase, percent, reason, checks, installed, blocksMotion } = update.view();
  print({ phase, percent, reason, checks, installed, blocksMotion, link: link.view().state });
};
update.onChange(report);
link.onChange(report);
report();

function move(): void {
  try {
    dispatcher.submit({ cartID: 1, distanceID: 100, angleID: 0 }, OPERATOR);
    print({ moved: '' });
  } catch (error) {
    print({ moved: error instanceof Error && 'code' in error ? error.code : messageOf(error) });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [command, argument] = line.split(' ');
  const board = BOARDS.find((name) => name === argument);
  if (command === 'move') move();
  if (command !== 'update' || !board) return;
  try {
    update.start(board, userActor('the operator'));
  } catch (error) {
    print({ refused: messageOf(error) });
  }
});
process.once('SIGTERM', async () => {
  await update.close();
  await cart.close();
  process.exit(0);
});
