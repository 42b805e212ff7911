import { type CartView, safetyMessage } from '../../carts/index.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { Message } from '../../shared/messages/message.js';
import type { Advice } from '../../system/index.js';

export interface Situation {
  own: CartView | undefined;
  /** True if the gateway ignores some settings. */
  hasFaults: boolean;
  /** True if the MQTT server is connected; its fault then concerns single topics. */
  isBrokerConnected: boolean;
}

/** @param key the component's key, as in `PartRow`. */
export function adviceFor(key: string, situation: Situation): Advice {
  const make = ADVICE[key] ?? stoppedCart;
  return { href: '', link: '', ...make(situation) };
}

type PartAdvice = Pick<Advice, 'effect' | 'action'> & Partial<Advice>;

const settingsLink = (section = ''): Pick<Advice, 'href' | 'link'> => ({
  href: section ? `/brokerSettings?section=${section}` : '/brokerSettings',
  link: t('Open the settings'),
});

const stoppedCart = (): PartAdvice => ({
  effect: t('The cart remains stationary until the stop is confirmed or reset.'),
  action: '',
});

const lostBroker = (): PartAdvice => ({
  effect: t('You can drive this cart here. Other carts and programs cannot reach it over MQTT.'),
  action: t("Check the network, then the MQTT server's address and password in the settings."),
  ...settingsLink('mqtt'),
});

const refusedTopics = (): PartAdvice => ({
  effect: t('Messages on these topics do not reach this gateway.'),
  action: t(
    'Give this client the right to subscribe to these topics. If the MQTT server is another gateway, the API key needs the permission “send commands to all carts through the MQTT server” and the number of this cart.',
  ),
  ...settingsLink('mqtt'),
});

const ADVICE: Readonly<Record<string, (situation: Situation) => PartAdvice>> = {
  estop: () => ({ effect: t('Stationary until reset.'), action: '' }),
  cart: ({ own }) => (own && own.safety.code !== 'ESTOP_ACTIVE' ? blockedCart(own) : stoppedCart()),
  controller: ({ own }) => {
    const effect = t('The cart is stationary and cannot be driven.');
    if (own?.link?.state === 'READY') {
      const action = t('Check the serial cable and, under Diagnostics, the event loop lag.');
      return { effect: t('Each loss stops a moving cart.'), action };
    }
    if (own?.link?.state === 'INCOMPATIBLE') {
      const action = t(
        "Install this release's firmware on the motor controller, or select a different driver.",
      );
      return { effect, action, href: '/controller/firmware', link: t('Controller firmware') };
    }
    const action = t("Check the controller's power and the serial cable, then the port in the settings.");
    return { effect, action, ...settingsLink('serial') };
  },
  broker: ({ isBrokerConnected }) => (isBrokerConnected ? refusedTopics() : lostBroker()),
  camera: () => ({
    effect: t('You can drive, but there is no image.'),
    action: t("Check the camera's cable and settings."),
    href: '/cameraSettings',
    link: t('Open the camera page'),
  }),
  database: ({ own }) => ({
    effect:
      own?.safety.code === 'SAFETY_UNAVAILABLE'
        ? t('The gateway might not save data, and the cart cannot move. Stop and Stop all work.')
        : t('Data might be missing or might not be saved. Stop and Stop all work.'),
    action: t(
      'Free up disk space or replace the SD card, then restart the gateway. If only a backup failed, create one below.',
    ),
    href: '#backups',
    link: t('Go to backups'),
  }),
  settings: ({ hasFaults }) =>
    hasFaults
      ? {
          effect: t('The gateway ignores the invalid values.'),
          action: t('Correct the values in the settings and save them.'),
          ...settingsLink(),
        }
      : {
          effect: t('Until the restart, the gateway uses the previous values.'),
          action: t('Restart the gateway while the cart is stationary.'),
          ...settingsLink(),
        },
  https: () => ({
    effect: t('Browsers may show a security warning. Driving and stopping are not affected.'),
    action: t('Check the certificate.'),
    href: '/system/tls',
    link: t('Open the HTTPS page'),
  }),
  clock: () => ({
    effect: t('Times may be wrong. Driving and stopping are not affected.'),
    action: t('Connect the gateway to a network with a time server.'),
  }),
  disk: () => ({
    effect: t('If less than 32 MB is free, the gateway stops saving data.'),
    action: t('Delete photos and old files on the SD card, or use a larger card.'),
    href: '/cameraSettings',
    link: t('Open the camera page'),
  }),
  software: () => ({
    effect: t('The gateway might run a program that is not part of the release.'),
    action: t('Install the release again, and find out who can change files as root.'),
    href: '/updates',
    link: t('Update gateway'),
  }),
  payments: () => ({
    effect: t('Customers cannot pay.'),
    action: t("Compare the stored payments with the provider's records, then confirm below."),
    href: '#backups',
    link: t('Go to backups'),
  }),
  alarms: () => ({
    effect: t('People and programs outside the console might not be notified of stops and faults.'),
    action: t('Check the alarm settings and the network, then send a test alarm.'),
    href: '#alarms',
    link: t('Go to alarms'),
  }),
  backup: () => ({
    effect: t('If the SD card fails, all data saved since the last backup is lost.'),
    action: t('Create a backup now and download it.'),
    href: '#backups',
    link: t('Go to backups'),
  }),
  restore: () => ({
    effect: t('Until the restore is confirmed or undone, a second copy of the data occupies disk space.'),
    action: t('Follow the instructions on the card for gateway backups.'),
    href: '#gateway-backups',
    link: t('Go to backups'),
  }),
  'gateway-backup': () => ({
    effect: t('If the SD card fails, all data saved since the last backup is lost.'),
    action: t('Fix the cause, then make a gateway backup and download it.'),
    href: '#gateway-backups',
    link: t('Go to backups'),
  }),
};

/** The hint for each safety message that explains why a cart cannot move. */
const HINTS: Readonly<Record<string, Message>> = {
  'safety.input-off': safetyMessage('input-hint'),
  'safety.input-simulated': safetyMessage('input-hint'),
  'safety.latch-unsavable': safetyMessage('latch-unsavable-hint'),
};

function blockedCart({ safety }: CartView): PartAdvice {
  const effect = t('The cart is stationary and cannot be driven. Stop and Stop all work.');
  const { reason, code } = safety;
  const hint = typeof reason === 'string' ? undefined : HINTS[reason.code];
  if (hint) return { effect, action: translated(hint), ...settingsLink('gpio') };
  if (code === 'CONFIG_INVALID')
    return { effect, action: translated(safetyMessage('settings-hint')), ...settingsLink() };
  return {
    effect,
    action: t('Fix the cause. If the problem persists, repeat the commissioning steps.'),
    href: '/commissioning',
    link: t('Open commissioning'),
  };
}
