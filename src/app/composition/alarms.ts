import { sendMail } from '../../adapters/alarms/mail.js';
import { postWebhook } from '../../adapters/alarms/webhook.js';
import { ALARM_RETENTION_MS, type AlarmKind, Alarms } from '../../alarms/index.js';
import { type Cart, type ControllerLink, Headers, Topics } from '../../carts/index.js';
import { actorText } from '../../shared/actor.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Store } from '../../shared/ports/store.js';
import { Pruner, RecentLosses } from '../../system/index.js';
import type { AppContext } from '../context.js';
import type { Mqtt } from './broker.js';
import type { OwnCart } from './create-cart.js';
import type { GatewayFacts } from './facts.js';

const MIB = 1024 * 1024;
/** Eight times the free space below which the store rejects writes. */
const DISK_LOW_BYTES = 256 * MIB;
/** A nearly full disk is reported again only after the free space has reached this value. */
const DISK_RECOVERED_BYTES = 320 * MIB;
const DISK_CHECK_MS = 30_000;

interface AlarmModules {
  mqtt: Pick<Mqtt, 'bus'>;
  facts: Pick<GatewayFacts, 'urlForOthers'>;
}

export function openAlarms(
  { store, clock, log, settings, identity, access }: AppContext,
  { mqtt: { bus }, facts }: AlarmModules,
): Promise<Alarms> {
  const topic = new Topics(identity).of(identity.cartId, 'alarm');
  const headers = new Headers(identity);
  return Alarms.open({
    store,
    clock,
    log,
    sendMail,
    postWebhook,
    settings: () => settings.current.alarms,
    source: () => ({ gateway: settings.current.gateway.name, url: facts.urlForOthers }),
    hasUsers: !access.isTrustedLan,
    mqtt: {
      bus,
      topic,
      payload: (alarm) => JSON.stringify({ ...headers.next(topic, clock.wallTime()), ...alarm }),
    },
  });
}

export function pruneAlarms({ store, clock, log }: AppContext): Pruner {
  const jobs = [{ operation: 'alarms.prune', keepMs: ALARM_RETENTION_MS }];
  const pruner = new Pruner({ store, clock, log, jobs });
  pruner.start();
  return pruner;
}

export function openAlarmEvents(
  { store, clock, identity }: AppContext,
  { ownCart: { cart, link }, alarms }: { ownCart: OwnCart; alarms: Pick<Alarms, 'raise'> },
): Cancel {
  return raiseAlarms({ cart, link, store, clock }, (kind, detail) =>
    alarms.raise({ kind, cartID: identity.cartId, detail }),
  );
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

/** Losses of the motor controller: the System page reports repeated losses, even if the link works again. */
export interface ControllerLosses {
  recent: RecentLosses;
  close: Cancel;
}

export function countLosses(
  { clock }: AppContext,
  { ownCart }: { ownCart: Pick<OwnCart, 'link'> },
): ControllerLosses {
  const recent = new RecentLosses(clock);
  return { recent, close: onUnintendedLoss(ownCart.link, () => recent.add()) };
}
