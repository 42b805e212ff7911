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

/**
 * `stop`: ramp down; the motors stay enabled. `halt`: ramp down, then disable the motors. `estop`: disable
 * the motors at once and latch.
 */
export type StopKind = 'stop' | 'halt' | 'estop';

/** Operations on this gateway's cart, for the HTTP routes and the MQTT agent. */
export interface CommandGateway {
  /**
   * Accepts a valid order for this gateway's cart, or throws a `GatewayError` (ESTOP_ACTIVE, CONTROL_HELD,
   * BUSY, RATE, SERIAL_DOWN, SAFETY_UNAVAILABLE, ID_REUSED, …) before anything is sent. A repeated commandId
   * with the same order returns the same command. If `authority` is given, the command ends when that session
   * or key ends; throws REVOKED if the session or key has already ended.
   */
  accept(order: Order, origin: Origin, authority?: Authority): Command;
  find(commandId: string): Command | undefined;
  /** Ends a running command with a stop that does not latch, or removes a queued command from the queue. */
  protect(command: Command, reason: Reason): void;
  /**
   * A stop is never rejected or queued: its frame is handed to the serial line before this method returns.
   */
  stopOwn(kind: StopKind, origin: Origin): void;
  /**
   * Resolves when the latch has been written to disk. An emergency stop must not be acknowledged before that.
   * Rejects with WRITE_FAILED if the write fails; the cart is then stopped and stays latched until this
   * process ends.
   */
  latchSaved(): Promise<void>;
  /**
   * Resolves when the controller has acknowledged the last stop, or at once if the controller does not send
   * acknowledgements. Rejects with SERIAL_DOWN, SERIAL_LOST or SERIAL_ACK_TIMEOUT. Only the acknowledgement
   * proves that the controller received the stop.
   */
  stopConfirmed(): Promise<void>;
  /**
   * Number of emergency stops of this gateway's cart since startup, from any source, including stops of a
   * cart that is already latched. Incremented before any listener is notified.
   */
  readonly emergencyStops: number;
  /**
   * Resets the E-stop, first in the controller and then in the gateway. Rejects with RESET_REFUSED (409) or
   * RESET_FORBIDDEN (403).
   */
  resetOwn(origin: Origin): Promise<void>;
  ownCart(): CartView;
  /**
   * Calls the listener on every change of the cart's view. While the cart is stationary, changed numbers are
   * reported at most every 400 ms.
   */
  onOwnChange(listener: () => void): Cancel;
  /** Calls the listener for every transition of every command for this gateway's cart. */
  onOwnCommand(listener: (command: Command) => void): Cancel;
}

/** Operations on remote carts, which are reached over MQTT. */
export interface RemoteCarts {
  /**
   * Publishes the order to its cart and tracks the acknowledgements. Before anything is published, throws
   * BROKER_DOWN, CART_OFFLINE, CART_UNKNOWN, or ESTOP_ACTIVE if the cart's last state reports a latched
   * E-stop.
   */
  send(order: Order, origin: Origin, authority?: Authority): Command;
  /**
   * Cancels the command on its cart, whether or not the command has started, and ends it in this gateway with
   * `reason`.
   */
  cancel(command: Command, reason: Reason): void;
  /**
   * Publishes the stop to one cart, or to all carts if `cartId` is `null`, before this method returns. The
   * stop is resent until each cart confirms it. Resolves within 1 s with the confirmations received so far;
   * never rejects.
   */
  stop(cartId: number | null, kind: StopKind, origin: Origin): Promise<StoppedCart[]>;
  /** Ends the retries of an unconfirmed stop when the cart is reset or when the operator requests it. */
  giveUpStop(cartId: number): void;
  /**
   * Requests a reset. Within 2 s, resolves with the cart's latch state, or rejects with the error that the
   * cart reports or with ACK_TIMEOUT.
   */
  reset(cartId: number, origin: Origin): Promise<EmergencyStop>;
  has(cartId: number): boolean;
  /** Returns at most `most` carts, sorted by cart number. */
  carts(most?: number): CartView[];
  cart(cartId: number): CartView | undefined;
  onChange(listener: (cartId: number) => void): Cancel;
  onCommand(listener: (command: Command) => void): Cancel;
}
