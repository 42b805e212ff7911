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

/** `stop`: ramp down, stay powered. `halt`: ramp down, then switch off. `estop`: switch off at once and latch. */
export type StopKind = 'stop' | 'halt' | 'estop';

/** This gateway's own cart, as commanded by the HTTP routes and the MQTT agent. */
export interface CommandGateway {
  /**
   * Accepts a valid order for this gateway's own cart, or throws a `GatewayError` (ESTOP_ACTIVE,
   * CONTROL_HELD, BUSY, RATE, SERIAL_DOWN, SAFETY_UNAVAILABLE, ID_REUSED, …) before anything is sent. The
   * same commandId with the same order returns the same command. If an authority is given, the command ends
   * when that session or key ends; throws REVOKED if it has already ended.
   */
  accept(order: Order, origin: Origin, authority?: Authority): Command;
  find(commandId: string): Command | undefined;
  /** Ends this command with an unlatched stop if it is running, or removes it from the queue. */
  protect(command: Command, reason: Reason): void;
  /** Never rejected or queued: the frame is handed to the serial line before this returns. */
  stopOwn(kind: StopKind, origin: Origin): void;
  /**
   * Resolves when the latch is on disk; an emergency stop must not be acknowledged before that. Rejects with
   * WRITE_FAILED if the write failed; the cart is then stopped and latched until this process ends.
   */
  latchSaved(): Promise<void>;
  /**
   * Resolves when the controller has acknowledged the last stop, or at once if it cannot acknowledge. Rejects
   * with SERIAL_DOWN, SERIAL_LOST or SERIAL_ACK_TIMEOUT: only this report proves that the stop arrived.
   */
  stopConfirmed(): Promise<void>;
  /**
   * Counts every emergency stop of the gateway's own cart since startup, from any source, including those on
   * a cart that is already latched. Incremented before any listener is notified.
   */
  readonly emergencyStops: number;
  /** Resets the E-stop, controller first. Rejects with RESET_REFUSED (409) or RESET_FORBIDDEN (403). */
  resetOwn(origin: Origin): Promise<void>;
  ownCart(): CartView;
  /** Called on every change of the cart's view; at most about twice a second while the cart is stationary. */
  onOwnChange(listener: () => void): Cancel;
  /** Called for every transition of every command to this gateway's own cart. */
  onOwnCommand(listener: (command: Command) => void): Cancel;
}

/** Remote carts, reached over MQTT. */
export interface RemoteCarts {
  /**
   * Publishes the order to its cart and tracks the acknowledgements. Throws BROKER_DOWN, CART_OFFLINE, CART_UNKNOWN or
   * ESTOP_ACTIVE (from the cart's last state) before anything is published.
   */
  send(order: Order, origin: Origin, authority?: Authority): Command;
  /** Cancels the command on its cart, running or not, and ends it in this gateway with the reason. */
  cancel(command: Command, reason: Reason): void;
  /**
   * Publishes the stop before this returns (`null`: to every cart), and repeats it until the carts confirm
   * it. Resolves within 1 s with the confirmations received by then; never rejects.
   */
  stop(cartId: number | null, kind: StopKind, origin: Origin): Promise<StoppedCart[]>;
  /** Ends the retries of an unconfirmed stop, on a reset or at the operator's request. */
  giveUpStop(cartId: number): void;
  /** Requests a reset. Within 2 s, resolves with the cart's latch or rejects with the cart's refusal. */
  reset(cartId: number, origin: Origin): Promise<EmergencyStop>;
  has(cartId: number): boolean;
  /** Sorted by number; at most `most` carts. */
  carts(most?: number): CartView[];
  cart(cartId: number): CartView | undefined;
  onChange(listener: (cartId: number) => void): Cancel;
  onCommand(listener: (command: Command) => void): Cancel;
}
