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
 * `stop` ramps down and leaves the motors enabled. `halt` ramps down, then disables the motors. `estop`
 * disables the motors at once and latches.
 */
export type StopKind = 'stop' | 'halt' | 'estop';

export interface CommandGateway {
  /**
   * Accepts an order or throws ESTOP_ACTIVE, CONTROL_HELD, BUSY, RATE, SERIAL_DOWN, SAFETY_UNAVAILABLE,
   * ID_REUSED or another `GatewayError` before anything is sent. A repeated commandId with the same order
   * returns the same command. The command ends when the session or key in `authority` ends. Throws REVOKED if
   * that session or key has already ended.
   */
  accept(order: Order, origin: Origin, authority?: Authority): Command;
  find(commandId: string): Command | undefined;
  /** Ends a running command with a stop that does not latch, or removes a queued command. */
  protect(command: Command, reason: Reason): void;
  /**
   * A stop is never rejected or queued: its frame is written to the serial line before this method returns.
   */
  stopOwn(kind: StopKind, origin: Origin): void;
  /**
   * Resolves when the latch is on disk; an emergency stop must not be acknowledged before that. On
   * WRITE_FAILED, the cart stays latched until this process ends.
   */
  latchSaved(): Promise<void>;
  /**
   * Resolves when the controller has acknowledged the last stop, or at once if it sends no acknowledgements.
   * Rejects with SERIAL_DOWN, SERIAL_LOST or SERIAL_ACK_TIMEOUT.
   */
  stopConfirmed(): Promise<void>;
  /**
   * Number of emergency stops of this cart since startup, including repeated ones. Incremented before
   * listeners run.
   */
  readonly emergencyStops: number;
  /** Resets the controller, then the gateway. Rejects with RESET_REFUSED (409) or RESET_FORBIDDEN (403). */
  resetOwn(origin: Origin): Promise<void>;
  ownCart(): CartView;
  /** Changes to a stationary cart's numeric values are reported at most every 400 ms. */
  onOwnChange(listener: () => void): Cancel;
  onOwnCommand(listener: (command: Command) => void): Cancel;
}

export interface RemoteCarts {
  /**
   * Publishes the order, or throws BROKER_DOWN, CART_OFFLINE, CART_UNKNOWN or ESTOP_ACTIVE without publishing
   * it.
   */
  send(order: Order, origin: Origin, authority?: Authority): Command;
  /**
   * Cancels the command on its cart, even if it has not started, and ends it on this gateway with `reason`.
   */
  cancel(command: Command, reason: Reason): void;
  /**
   * Publishes the stop to one cart, or to all carts if `cartId` is `null`, before this method returns. The
   * stop is resent until each cart confirms it. Resolves within 1 s with the confirmations; never rejects.
   */
  stop(cartId: number | null, kind: StopKind, origin: Origin): Promise<StoppedCart[]>;
  /** Stops resending an unconfirmed stop after a reset or at the operator's request. */
  giveUpStop(cartId: number): void;
  /** Resolves within 2 s with the cart's latch state, or rejects with the cart's error or ACK_TIMEOUT. */
  reset(cartId: number, origin: Origin): Promise<EmergencyStop>;
  has(cartId: number): boolean;
  /** Returns at most `most` carts, sorted by cart number. */
  carts(most?: number): CartView[];
  cart(cartId: number): CartView | undefined;
  onChange(listener: (cartId: number) => void): Cancel;
  onCommand(listener: (command: Command) => void): Cancel;
}
