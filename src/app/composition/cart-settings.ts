import { isDeepStrictEqual } from 'node:util';
import { type Cart, type ControllerLink, cartMessage } from '../../carts/index.js';
import type { SettingsService } from '../../settings/index.js';
import { conditionActor } from '../../shared/actor.js';
import type { MessageBus } from '../../shared/ports/mqtt.js';
import type { AppContext } from '../context.js';
import type { BrokerLink } from './broker.js';
import { sessionSettings } from './create-cart.js';
import type { ControllerLine } from './line.js';

interface CartSettingsModules {
  ownCart: { cart: Pick<Cart, 'busy' | 'stop' | 'onChange'>; link: Pick<ControllerLink, 'restart'> };
  line: Pick<ControllerLine, 'choose'>;
  mqtt: { broker: Pick<BrokerLink, 'reopen'>; bus: Pick<MessageBus, 'status' | 'onStatus'> };
}

/** Applies changed settings. If `onBrokerLoss` is `stop`, a lost broker connection stops a moving cart. */
export function applyCartSettings(
  { settings }: Pick<AppContext, 'settings'>,
  { ownCart: { cart, link }, line, mqtt: { broker, bus } }: CartSettingsModules,
): void {
  settings.watch(() => !cart.busy);
  applyLineSettings(settings, {
    cart,
    restartLine() {
      line.choose();
      link.restart();
    },
  });
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
  { cart, restartLine }: { cart: Pick<Cart, 'busy' | 'onChange'>; restartLine: () => void },
): void {
  // The cart may have started to move during the save, so the serial line is restarted only when the cart is idle.
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
