import { Avrdude } from '../../adapters/avrdude/avrdude.js';
import {
  type Cart,
  type ControllerLink,
  FirmwareUpdate,
  ReleaseFirmware,
  UpdateRecord,
} from '../../carts/index.js';
import { packageRoot } from '../../shared/package-root.js';
import type { Flasher } from '../../shared/ports/serial.js';
import type { CoreServices } from '../core-services.js';

export interface CartFirmware {
  /** What is known about the installed firmware; can block motion. */
  record: UpdateRecord;
  /** Writes a program to the motor controller. */
  flasher: Flasher;
}

interface FirmwareCart {
  cart: Cart;
  link: ControllerLink;
  firmware: CartFirmware;
}

/**
 * Opens the update record, which can block motion, and ends any avrdude process that a killed gateway left
 * running. Must be called before the serial line is opened.
 */
export async function openFlasher({
  config,
  clock,
  log,
}: Pick<CoreServices, 'config' | 'clock' | 'log'>): Promise<CartFirmware> {
  const { dataDir: dir } = config;
  const flasher = new Avrdude({ dataDir: dir, clock, log });
  await flasher.clear();
  return { record: await UpdateRecord.open({ dir, log }), flasher };
}

export async function openFirmware(core: CoreServices, carts: FirmwareCart): Promise<FirmwareUpdate> {
  const { clock, log, settings, closers } = core;
  const { cart, link, firmware } = carts;
  const release = await ReleaseFirmware.open(packageRoot(), log);
  const serial = () => settings.current.serial;
  const update = new FirmwareUpdate({ ...firmware, release, cart, link, serial, clock, log });
  closers.defer('firmware update', () => update.close());
  return update;
}
