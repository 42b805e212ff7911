import type { Cart } from '../carts/cart.js';
import type { LimitsSettings } from '../carts/schema.js';
import type { MessageBus } from '../ports.js';
import type { SettingsRoom } from '../settings/settings.js';
import type { BrokerLink } from './broker.js';

export interface InStepParts {
  cart: Pick<Cart, 'busy' | 'stop' | 'onChange'>;
  broker: Pick<BrokerLink, 'reopen'>;
  bus: Pick<MessageBus, 'onStatus'>;
  /** Leaves the controller and greets it anew, as the settings are now. */
  restartLine: () => void;
}

/** What follows for the cart and the broker when settings change, and when the broker is lost. */
export function keepInStep(settings: SettingsRoom, { cart, broker, bus, restartLine }: InStepParts): void {
  // The cart may have begun to move while the settings were on their way to the disk: then the line waits.
  let restartDue = false;
  const restartWhenIdle = (): void => {
    if (!restartDue || cart.busy) return;
    restartDue = false;
    restartLine();
  };
  cart.onChange(restartWhenIdle);
  settings.watch(() => !cart.busy);
  settings.onChange(({ changed, settings: next, previous }) => {
    if (changed.includes('mqtt')) void broker.reopen();
    // The controller is told its limits in the handshake.
    const newRamps = changed.includes('limits') && !sameRamps(next.limits, previous.limits);
    if (!newRamps && !changed.includes('serial')) return;
    restartDue = true;
    restartWhenIdle();
  });
  bus.onStatus(({ connected }) => {
    const stops = settings.current.mqtt.onBrokerLoss === 'stop';
    if (!connected && stops && cart.busy) cart.stop('stop', 'the loss of the MQTT broker');
  });
}

/** Whether two sets of limits are the same to the controller. */
function sameRamps(a: LimitsSettings, b: LimitsSettings): boolean {
  return a.maxSpeedMmps === b.maxSpeedMmps && a.accelMmps2 === b.accelMmps2 && a.decelMmps2 === b.decelMmps2;
}
