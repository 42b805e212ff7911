import { ALARM_KINDS, type AlarmKind, type Alarms, targetName } from '../../alarms/index.js';
import { t } from '../../i18n/page-text.js';

const kindTexts = (): Record<AlarmKind, string> => ({
  estop: t('Stop all or E-stop'),
  'protective-stop': t('Protective stop'),
  'controller-lost': t('Motor controller connection lost'),
  'disk-low': t('Disk nearly full'),
  'backup-failed': t('Backup failed'),
  superseded: t('Cart taken over by a restored gateway'),
});

export function subscriptionPanel(
  alarms: Pick<Alarms, 'subscriptions' | 'hasMail'>,
  { userId, role }: { userId: number; role: string },
): object {
  const { address, kinds } = alarms.subscriptions.of(userId);
  const texts = kindTexts();
  return {
    address,
    hasMail: alarms.hasMail,
    canTest: alarms.hasMail && address !== '',
    isAdmin: role === 'admin',
    kinds: ALARM_KINDS.map((kind) => ({ kind, text: texts[kind], checked: kinds.includes(kind) })),
  };
}

export function channelsPanel(alarms: Pick<Alarms, 'targets' | 'hasMail' | 'subscriptions'>): {
  channels: object[];
  hasChannels: boolean;
  hasRecipients: boolean;
} {
  const names = { mail: t('E-mail'), webhook: t('Webhook'), mqtt: t('MQTT') };
  const channels = alarms.targets().map(({ channel, target }) => ({
    channel,
    target,
    name: names[channel],
    label: targetName({ channel, target }),
  }));
  const isSubscribed = ALARM_KINDS.some((kind) => alarms.subscriptions.addresses(kind).length > 0);
  const hasChannels = channels.length > 0;
  return { channels, hasChannels, hasRecipients: hasChannels || (alarms.hasMail && isSubscribed) };
}
