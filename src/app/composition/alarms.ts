import { sendMail } from '../../adapters/alarms/mail.js';
import { postWebhook } from '../../adapters/alarms/webhook.js';
import { ALARM_RETENTION_MS, Alarms, onUnintendedLoss, raiseAlarms } from '../../alarms/index.js';
import type { BackupSchedule } from '../../backups/index.js';
import { Headers, type RemoteCartRegistry, Topics } from '../../carts/index.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { Pruner, RecentLosses } from '../../system/index.js';
import type { AppContext } from '../context.js';
import type { Mqtt } from './broker.js';
import type { OwnCart } from './create-cart.js';
import type { GatewayFacts } from './facts.js';

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

interface AlarmEventModules {
  ownCart: OwnCart;
  peers: { registry: Pick<RemoteCartRegistry, 'onSuperseded'> };
  alarms: Pick<Alarms, 'raise'>;
  backupSchedule: Pick<BackupSchedule, 'onFailed'>;
}

export function openAlarmEvents(
  { store, clock, identity }: AppContext,
  { ownCart: { cart, link }, peers: { registry }, alarms, backupSchedule }: AlarmEventModules,
): Cancel {
  const onSuperseded = registry.onSuperseded.bind(registry);
  const { onFailed: onGatewayBackupFailed } = backupSchedule;
  return raiseAlarms({ cart, link, store, onGatewayBackupFailed, onSuperseded, clock }, (kind, detail) =>
    alarms.raise({ kind, cartID: identity.cartId, detail }),
  );
}

/** Lost connections to the motor controller. The System page reports repeated losses even if the link works again. */
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
