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

/** The own cart, as the HTTP routes and the MQTT agent command it. */
export interface CommandGateway {
  /**
   * Accepts a valid order for the own cart, or throws a `GatewayError` (ESTOP_ACTIVE, CONTROL_HELD, BUSY, RATE,
   * SERIAL_DOWN, SAFETY_UNAVAILABLE, ID_REUSED, …) before anything is sent. The same commandId with the same order
   * returns the same command. With an authority the command ends when that session or key ends, and REVOKED is thrown
   * if it has ended already.
   */
  accept(order: Order, origin: Origin, authority?: Authority): Command;
  find(commandId: string): Command | undefined;
  /** Ends this command with an unlatched stop if it runs, or removes it from the queue. */
  protect(command: Command, reason: Reason): void;
  /** Never rejected or queued: the frame is handed to the line before this returns. */
  stopOwn(kind: StopKind, origin: Origin): void;
  /**
   * Resolves when the latch is on disk; an emergency stop must not be acknowledged before. Rejects WRITE_FAILED if the
   * write failed; the cart is then stopped and latched until this process ends.
   */
  latchSaved(): Promise<void>;
  /**
   * Resolves when the controller has acknowledged the last stop, or at once when it cannot acknowledge. Rejects
   * SERIAL_DOWN, SERIAL_LOST or SERIAL_ACK_TIMEOUT: only this report proves that the stop arrived.
   */
  stopConfirmed(): Promise<void>;
  /**
   * Counts every emergency stop of the own cart since the start, from any source, including those on a latched cart.
   * Incremented before any listener is notified.
   */
  readonly emergencyStops: number;
  /** Resets the E-stop, in the controller first. Rejects RESET_REFUSED (409) or RESET_FORBIDDEN (403). */
  resetOwn(origin: Origin): Promise<void>;
  ownCart(): CartView;
  /** Called on every change of the own cart's view; for a stationary cart about twice a second at most. */
  onOwnChange(listener: () => void): Cancel;
  /** Called with every transition of every command for the own cart. */
  onOwnCommand(listener: (command: Command) => void): Cancel;
}

/** Remote carts, reached over MQTT. */
export interface RemoteCarts {
  /**
   * Publishes the order to its cart and tracks the acknowledgements. Throws BROKER_DOWN, CART_OFFLINE, CART_UNKNOWN or
   * ESTOP_ACTIVE (from the cart's last state) before anything is published.
   */
  send(order: Order, origin: Origin, authority?: Authority): Command;
  /** Cancels the command on its cart, running or not, and ends it here with the reason. */
  cancel(command: Command, reason: Reason): void;
  /**
   * Publishes the stop before this returns (`null`: for every cart), and again until the carts confirm it. Resolves
   * within 1 s with what each cart has confirmed by then; never rejects.
   */
  stop(cartId: number | null, kind: StopKind, origin: Origin): Promise<StoppedCart[]>;
  /** Ends the retries of an unconfirmed stop, on a reset or at the operator's request. */
  giveUpStop(cartId: number): void;
  /** Requests a reset; resolves with the latch in the cart's state within 2 s, or rejects with its refusal. */
  reset(cartId: number, origin: Origin): Promise<EmergencyStop>;
  has(cartId: number): boolean;
  /** By number; at most `most`. */
  carts(most?: number): CartView[];
  cart(cartId: number): CartView | undefined;
  onChange(listener: (cartId: number) => void): Cancel;
  onCommand(listener: (command: Command) => void): Cancel;
}
