import { Avrdude } from '../../adapters/avrdude/avrdude.js';
import { FirmwareUpdate, ReleaseFirmware, UpdateRecord, type WrittenFirmware } from '../../carts/index.js';
import { packageRoot } from '../../shared/package-root.js';
import type { Flasher } from '../../shared/ports/serial.js';
import type { AppContext } from '../context.js';
import type { OwnCart } from './create-cart.js';

export interface CartFirmware {
  /** The record of firmware updates, which can block motion. */
  record: UpdateRecord;
  /** Writes a program to the motor controller. */
  flasher: Flasher;
}

/**
 * Opens the update record, which can block motion, and ends any avrdude process that a killed gateway left
 * running. Must be opened before the serial line.
 */
export async function openFlasher({
  config,
  clock,
  log,
}: Pick<AppContext, 'config' | 'clock' | 'log'>): Promise<CartFirmware> {
  const { dataDir: dir } = config;
  const flasher = new Avrdude({ dataDir: dir, clock, log });
  await flasher.clear();
  return { record: await UpdateRecord.open({ dir, log }), flasher };
}

export async function openFirmwareUpdate(
  { clock, history, identity, log, settings }: AppContext,
  { ownCart: { cart, link }, firmware }: { ownCart: OwnCart; firmware: CartFirmware },
): Promise<FirmwareUpdate> {
  const release = await ReleaseFirmware.open(packageRoot(), log);
  const serial = () => settings.current.serial;
  const onWritten = ({ from, by, ...change }: WrittenFirmware): void =>
    history.recordSafety({
      kind: 'firmware.changed',
      cartID: identity.cartId,
      by,
      change: from === null ? change : { ...change, from },
    });
  return new FirmwareUpdate({ ...firmware, release, cart, link, serial, clock, log, onWritten });
}
