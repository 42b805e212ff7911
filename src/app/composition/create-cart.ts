import { CommandDispatcher } from '../../carts/command/dispatcher.js';
import { Cart } from '../../carts/control/cart.js';
import type { RemoteCarts } from '../../carts/control/contracts.js';
import type { LatchStore } from '../../carts/safety/latch-store.js';
import { createDriver } from '../../carts/serial/drivers/create-driver.js';
import { ControllerLink } from '../../carts/serial/link.js';
import type { Settings } from '../../settings/schema/schema.js';
import type { Text } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { CartLocation } from '../../shared/ports/navigation/plan-pose.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import type { ByteLinkOpener } from '../../shared/ports/serial.js';

interface OwnCartOptions {
  cartId: number;
  name: () => string;
  opener: () => ByteLinkOpener;
  pins: SafetyPins;
  latchStore: LatchStore;
  settings: () => Settings;
  settingsInvalidReason: () => Text;
  firmwareBlock: () => Text;
  stopOnly?: boolean;
  latchUnsavableReason: () => Text;
  brokerDown: () => boolean;
  location?: () => CartLocation | undefined;
  remote?: RemoteCarts;
  clock: Clock;
  log: Log;
}

interface OwnCart {
  cart: Cart;
  dispatcher: CommandDispatcher;
  link: ControllerLink;
}

export function sessionSettings({ serial, limits, kinematics, safety, protectiveField }: Settings) {
  const { maxSpeedMmps, accelMmps2, decelMmps2 } = limits;
  const { allowNoWatchdog } = safety;
  return {
    serial,
    limits: { maxSpeedMmps, accelMmps2, decelMmps2 },
    kinematics,
    safety: { allowNoWatchdog },
    protectiveField: { marginMm: protectiveField.marginMm },
  };
}

export function composeCart(options: OwnCartOptions): OwnCart {
  const { cartId, settings, remote, clock, log } = options;
  const session = () => ({ ...sessionSettings(settings()), cartId });
  const link = new ControllerLink({ opener: options.opener, createDriver, session, clock, log });
  const duplicate = () => remote?.duplicate(cartId);
  const cart = new Cart({ ...options, link, duplicate });
  const dispatcher = new CommandDispatcher({
    cart,
    rules: settings,
    clock,
    log,
    ...(remote ? { remote } : {}),
  });
  return { cart, dispatcher, link };
}
