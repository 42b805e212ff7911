import type { Cart, ControllerLink } from '../carts/index.js';
import { actorText } from '../shared/actor.js';
import { cancelAll } from '../shared/cancel-all.js';
import type { Text } from '../shared/messages/message.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import type { Store } from '../shared/ports/store.js';
import type { AlarmKind } from './alarm.js';

const MIB = 1024 * 1024;
/** Eight times the free space below which the store rejects writes. */
const DISK_LOW_BYTES = 256 * MIB;
/** A nearly full disk is reported again only after the free space has reached this value. */
const DISK_RECOVERED_BYTES = 320 * MIB;
const DISK_CHECK_MS = 30_000;

interface AlarmEvents {
  cart: Pick<Cart, 'onSafety'>;
  link: Pick<ControllerLink, 'onLost'>;
  store: Pick<Store, 'status' | 'onBackupFailed'>;
  /** Calls the listener if a scheduled backup of the gateway fails. */
  onGatewayBackupFailed: (listener: (reason: Text) => void) => Cancel;
  /** Calls the listener if a gateway that was restored from a backup replaces this one. */
  onSuperseded: (listener: (reason: Text) => void) => Cancel;
  clock: Clock;
}

/**
 * Calls `raise` for every event that triggers an alarm. For a cart event, calls it only after the stop frame has
 * been written.
 */
export function raiseAlarms(
  { cart, link, store, onGatewayBackupFailed, onSuperseded, clock }: AlarmEvents,
  raise: (kind: AlarmKind, detail: Text) => void,
): Cancel {
  const later = (kind: AlarmKind, detail: Text): void => void setImmediate(() => raise(kind, detail));
  let isLow = false;
  const checkDisk = (): void => {
    const { freeBytes } = store.status().metrics;
    if (freeBytes < 0) return;
    if (freeBytes >= DISK_RECOVERED_BYTES) isLow = false;
    if (isLow || freeBytes >= DISK_LOW_BYTES) return;
    isLow = true;
    raise('disk-low', `${Math.floor(freeBytes / MIB)} MiB`);
  };
  return cancelAll([
    cart.onSafety(({ kind, by }) => {
      if (kind === 'estop.latched') later('estop', actorText(by));
      if (kind === 'protective_stop') later('protective-stop', actorText(by));
    }),
    onUnintendedLoss(link, (text) => later('controller-lost', text)),
    store.onBackupFailed((reason) => raise('backup-failed', reason)),
    onGatewayBackupFailed((reason) => raise('backup-failed', reason)),
    onSuperseded((reason) => later('superseded', reason)),
    clock.every(DISK_CHECK_MS, checkDisk),
  ]);
}

/** Excludes sessions that the gateway ends intentionally, for example after a settings change. */
export function onUnintendedLoss(link: AlarmEvents['link'], listener: (text: Text) => void): Cancel {
  return link.onLost(({ text, isIntended }) => {
    if (!isIntended) listener(text);
  });
}
