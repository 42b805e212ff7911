import { t } from '../../i18n/page-text.js';
import { ALARM_KINDS, type AlarmKind } from '../alarm.js';
import type { Alarms } from '../alarms.js';
import { targetName } from '../outbox.js';

const kindTexts = (): Record<AlarmKind, string> => ({
  estop: t`E-stop`,
  'protective-stop': t`Protective stop`,
  'controller-lost': t`Motor controller connection lost`,
  'disk-low': t`Disk nearly full`,
  'backup-failed': t`Daily backup failed`,
});

/** The panel on the Account page. */
export function subscriptionPanel(
  alarms: Pick<Alarms, 'subscriptions' | 'hasMail'>,
  { userId, role }: { userId: number; role: string },
): object {
  const { address, kinds } = alarms.subscriptions.of(userId);
  const texts = kindTexts();
  return {
    address,
    hasMail: alarms.hasMail,
    isAdmin: role === 'admin',
    kinds: ALARM_KINDS.map((kind) => ({ kind, text: texts[kind], checked: kinds.includes(kind) })),
  };
}

/** The panel on the System page, for administrators. */
export function channelsPanel(alarms: Pick<Alarms, 'targets'>): object {
  const names = { mail: t`E-mail`, webhook: t`Webhook`, mqtt: t`MQTT` };
  const channels = alarms.targets().map(({ channel, target }) => ({
    ...{ channel, target, name: names[channel], label: targetName({ channel, target }) },
  }));
  return { channels, hasChannels: channels.length > 0 };
}
