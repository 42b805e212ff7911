import { isDeepStrictEqual } from 'node:util';
import { type Cart, cartMessage } from '../carts/index.js';
import type { SettingsService } from '../settings/index.js';
import { conditionActor } from '../shared/actor.js';
import type { LogLevel, LogThreshold } from '../shared/log.js';
import type { MessageBus } from '../shared/ports/mqtt.js';
import type { BrokerLink } from './composition/broker.js';
import { sessionSettings } from './composition/create-cart.js';

interface CartSettingsDeps {
  cart: Pick<Cart, 'busy' | 'stop' | 'onChange'>;
  broker: Pick<BrokerLink, 'reopen'>;
  bus: Pick<MessageBus, 'status' | 'onStatus'>;
  restartLine: () => void;
}

/** Applies changed settings. If `onBrokerLoss` is `stop`, a lost broker connection stops a moving cart. */
export function applyCartSettings(
  settings: SettingsService,
  { cart, broker, bus, restartLine }: CartSettingsDeps,
): void {
  settings.watch(() => !cart.busy);
  applyLineSettings(settings, { cart, restartLine });
  settings.onChange(({ changed }) => {
    if (changed.includes('mqtt')) void broker.reopen();
  });
  let wasConnected = bus.status().connected;
  bus.onStatus(({ connected }) => {
    const isLost = wasConnected && !connected;
    wasConnected = connected;
    const stops = settings.current.mqtt.onBrokerLoss === 'stop';
    if (isLost && stops && cart.busy) {
      cart.stop('stop', conditionActor('schedule', cartMessage('broker-lost')));
    }
  });
}

export function applyLineSettings(
  settings: Pick<SettingsService, 'onChange'>,
  { cart, restartLine }: Pick<CartSettingsDeps, 'restartLine'> & { cart: Pick<Cart, 'busy' | 'onChange'> },
): void {
  // The cart may have started to move during the save, so the line is restarted only when the cart is idle.
  let restartDue = false;
  const restartWhenIdle = (): void => {
    if (!restartDue || cart.busy) return;
    restartDue = false;
    restartLine();
  };
  cart.onChange(restartWhenIdle);
  settings.onChange(({ settings: next, previous }) => {
    if (isDeepStrictEqual(sessionSettings(next), sessionSettings(previous))) return;
    restartDue = true;
    restartWhenIdle();
  });
}

/** Applies `logging.level` immediately; the default, `info`, selects the configuration file's level. */
export function followLogLevel(
  settings: Pick<SettingsService, 'current' | 'onChange'>,
  { threshold, configured }: { threshold: LogThreshold; configured: LogLevel },
): void {
  const apply = ({ logging }: { logging: { level: LogLevel } }): void => {
    threshold.level = logging.level === 'info' ? configured : logging.level;
  };
  apply(settings.current);
  settings.onChange(({ settings: next }) => apply(next));
}
