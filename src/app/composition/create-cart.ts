import {
  Cart,
  type CartSitePlan,
  CommandDispatcher,
  ControllerLink,
  createDriver,
  type LatchStore,
  type MotionGate,
  type RemoteCarts,
} from '../../carts/index.js';
import type { Settings } from '../../settings/index.js';
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
  softwareBlock: () => Text;
  stopOnly?: boolean;
  latchUnsavableReason: () => Text;
  brokerDown: () => boolean;
  location?: () => CartLocation | undefined;
  sitePlan?: () => CartSitePlan | undefined;
  gate?: MotionGate;
  remote?: RemoteCarts;
  clock: Clock;
  log: Log;
}

/** A cart, its command dispatcher and the link to its motor controller. */
export interface OwnCart {
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
