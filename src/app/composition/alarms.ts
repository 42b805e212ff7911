import { sendMail } from '../../adapters/alarms/mail.js';
import { postWebhook } from '../../adapters/alarms/webhook.js';
import { type AlarmKind, Alarms } from '../../alarms/index.js';
import { type Cart, type ControllerLink, Headers, Topics } from '../../carts/index.js';
import { actorText } from '../../shared/actor.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Store } from '../../shared/ports/store.js';
import { Pruner, RecentLosses } from '../../system/index.js';
import type { CoreServices } from '../core-services.js';
import type { Carts } from './carts.js';

const MIB = 1024 * 1024;
/** Eight times the free space below which the store rejects writes. */
const DISK_LOW_BYTES = 256 * MIB;
/** A nearly full disk is reported again only after the free space has reached this value. */
const DISK_RECOVERED_BYTES = 320 * MIB;
const DISK_CHECK_MS = 30_000;
const RETENTION_MS = 30 * 86_400_000;

export async function openAlarms(core: CoreServices, carts: Carts, url: () => string): Promise<Alarms> {
  const { store, clock, log, settings, access, closers } = core;
  const { identity, bus, cart, link } = carts;
  const topic = new Topics(identity).of(identity.cartId, 'alarm');
  const headers = new Headers(identity);
  const alarms = await Alarms.open({
    store,
    clock,
    log,
    sendMail,
    postWebhook,
    settings: () => settings.current.alarms,
    source: () => ({ gateway: settings.current.gateway.name, url: url() }),
    hasUsers: !access.isTrustedLan,
    mqtt: {
      bus,
      topic,
      payload: (alarm) => JSON.stringify({ ...headers.next(topic, clock.wallTime()), ...alarm }),
    },
  });
  closers.defer('alarms', () => alarms.close());
  const jobs = [{ operation: 'alarms.prune', keepMs: RETENTION_MS }];
  const pruner = new Pruner({ store, clock, log, jobs });
  pruner.start();
  closers.defer('alarm history', () => pruner.stop());
  const stop = raiseAlarms({ cart, link, store, clock }, (kind, detail) =>
    alarms.raise({ kind, cartID: identity.cartId, detail }),
  );
  closers.defer('alarm events', stop);
  return alarms;
}

interface AlarmEvents {
  cart: Pick<Cart, 'onSafety'>;
  link: Pick<ControllerLink, 'onLost'>;
  store: Pick<Store, 'status' | 'onBackupFailed'>;
  clock: Clock;
}

/** Calls `raise` for every event that triggers an alarm; for cart events, after writing the stop frame. */
export function raiseAlarms(
  { cart, link, store, clock }: AlarmEvents,
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
  const cancels = [
    cart.onSafety(({ kind, by }) => {
      if (kind === 'estop.latched') later('estop', actorText(by));
      if (kind === 'protective_stop') later('protective-stop', actorText(by));
    }),
    onUnintendedLoss(link, (text) => later('controller-lost', text)),
    store.onBackupFailed((reason) => raise('backup-failed', reason)),
    clock.every(DISK_CHECK_MS, checkDisk),
  ];
  return () => {
    for (const cancel of cancels) cancel();
  };
}

/** Excludes sessions that the gateway ends intentionally, for example after a settings change. */
function onUnintendedLoss(link: AlarmEvents['link'], listener: (text: Text) => void): Cancel {
  return link.onLost(({ text, isIntended }) => {
    if (!isIntended) listener(text);
  });
}

/** The System page reports repeated losses of the motor controller, even if the link works again. */
export function countLosses({ clock, closers }: CoreServices, { link }: Carts): RecentLosses {
  const losses = new RecentLosses(clock);
  closers.defer(
    'controller losses',
    onUnintendedLoss(link, () => losses.add()),
  );
  return losses;
}
