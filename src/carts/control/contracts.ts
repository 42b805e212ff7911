import type { Cancel } from '../../shared/ports/clock.js';
import type { Command } from '../command/command.js';
import type {
  Authority,
  CartView,
  EmergencyStop,
  Order,
  Origin,
  Reason,
  StoppedCart,
} from '../command/model.js';

/** How a cart is stopped: ramp and stay powered, ramp and switch off, or switch off at once and latch. */
export type StopKind = 'stop' | 'halt' | 'estop';

/** What the gateway's own cart offers to those who command it: the HTTP routes and the MQTT agent alike. */
export interface CommandGateway {
  /**
   * Takes a valid order for this gateway's own cart, or throws a `GatewayError` (ESTOP_ACTIVE, CONTROL_HELD, BUSY,
   * RATE, SERIAL_DOWN, SAFETY_UNAVAILABLE, ID_REUSED, …) with nothing sent. The same commandId with the same order
   * gives the same command again. Without an authority the command is not bound to a session or key; with one it ends
   * when that does, and REVOKED is thrown when it has ended already.
   */
  accept(order: Order, origin: Origin, authority?: Authority): Command;
  find(commandId: string): Command | undefined;
  /** Ends this command with a stop that is not latched, or takes it out of the queue; another command is left alone. */
  protect(command: Command, reason: Reason): void;
  /** Never refused, never queued: the frame is handed to the line before this returns. */
  stopOwn(kind: StopKind, origin: Origin): void;
  /**
   * Resolves when the latch is on disk: only then may an emergency stop be acknowledged. Rejects WRITE_FAILED when it
   * could not be written; the cart is stopped and latched all the same, until this process ends.
   */
  latchSaved(): Promise<void>;
  /**
   * Resolves when the controller has acknowledged the last stop, or at once when it cannot acknowledge. Rejects
   * SERIAL_DOWN, SERIAL_LOST or SERIAL_ACK_TIMEOUT: only this report proves that the stop arrived.
   */
  stopConfirmed(): Promise<void>;
  /**
   * Counts every emergency stop of the own cart since the start, whatever made it, also those that found it latched. It
   * counts before anybody is told of the stop.
   */
  readonly emergencyStops: number;
  /** Ends the latch, in the controller first; rejects why not (RESET_REFUSED 409, RESET_FORBIDDEN 403). */
  resetOwn(origin: Origin): Promise<void>;
  ownCart(): CartView;
  /** Called on every change of the own cart's view; a cart at rest is not reported more often than twice a second or so. */
  onOwnChange(listener: () => void): Cancel;
  /** Called with every transition of every command for the own cart. */
  onOwnCommand(listener: (command: Command) => void): Cancel;
}

/** The other carts of the fleet, reached through the MQTT tree. */
export interface RemoteCarts {
  /**
   * Publishes the order to its cart and follows its acknowledgements. Throws at once, with nothing published:
   * BROKER_DOWN, CART_OFFLINE, CART_UNKNOWN, ESTOP_ACTIVE (the cart's last state says so).
   */
  send(order: Order, origin: Origin, authority?: Authority): Command;
  /** Tells the cart to stop this command, or not to start it, and ends it here with the reason. */
  cancel(command: Command, reason: Reason): void;
  /**
   * Publishes the stop before this returns (`null`: for every cart), and again until the carts confirm it. Resolves
   * within 1 s with what each cart has confirmed by then; never rejects.
   */
  stop(cartId: number | null, kind: StopKind, origin: Origin): Promise<StoppedCart[]>;
  /** Ends the repetition of an unconfirmed stop: the cart is reset, or the operator gives up. */
  giveUpStop(cartId: number): void;
  /** Asks the cart to end its latch; resolves with what the cart's state says within 2 s, or rejects with its refusal. */
  reset(cartId: number, origin: Origin): Promise<EmergencyStop>;
  has(cartId: number): boolean;
  /** By number; the first `most` when that is given. */
  carts(most?: number): CartView[];
  cart(cartId: number): CartView | undefined;
  onChange(listener: (cartId: number) => void): Cancel;
  onCommand(listener: (command: Command) => void): Cancel;
}
