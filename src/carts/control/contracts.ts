import type { Text } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { Command } from '../command/command.js';
import type {
  Authority,
  CartView,
  EmergencyStop,
  Order,
  Origin,
  Reason,
  StopOrigin,
  StoppedCart,
  Telemetry,
} from '../command/model.js';
import type { Refusal } from '../safety/refusals.js';
import type { SpeedLimits } from './live-limits.js';
import type { MotionLimits } from './motion-duration.js';

/**
 * `stop` decelerates the cart and leaves the motors enabled. `halt` decelerates the cart, then disables the
 * motors. `estop` disables the motors immediately and latches.
 */
export type StopKind = 'stop' | 'halt' | 'estop';

/** A motion about which the motion gate decides. */
export interface GatedMotion {
  /** For a jog that has been renewed, the latest renewal. */
  order: Order;
  origin: Origin;
  /**
   * `accept`: the command is being accepted. `send`: the motion is about to be sent. `renew`: the renewal of a jog is
   * about to be sent. `running`: the motion is running. `superseded`: the jog has been renewed with other speeds, but
   * the controller may not have received the renewal.
   */
  phase: 'accept' | 'send' | 'renew' | 'running' | 'superseded';
  /** How far a running motion has driven and turned, according to the wheels; 0 before it starts. */
  driven: { distanceMm: number; angleDeg: number };
  /** The latest report of the controller; undefined without a connection. */
  telemetry: Telemetry | undefined;
  /** The limits that the controller has received. */
  limits: MotionLimits;
  /** True if the driver can change the speed limits of a running motion. */
  hasLiveLimits: boolean;
}

export type GateVerdict = { refusal: Refusal } | { refusal: undefined; limits: SpeedLimits };

/**
 * Decides about the motions of this gateway's cart. A later module implements it, for example for zones. The control
 * loop calls these methods, so they must not wait or throw.
 */
export interface MotionGate {
  /**
   * Returns the motion's speed limits, or why the cart must not execute it. Called when a command is accepted, again
   * immediately before its motion is sent to the controller, for every renewal of a jog, and every 50 ms while a motion
   * is running.
   */
  check(motion: GatedMotion): GateVerdict;
  /** The lowest speed limits that are possible, which determine the controller's own time limits of moves. */
  readonly slowest: SpeedLimits;
  /** Warnings for the operators of this cart. */
  warnings(): Text[];
}

export interface CommandGateway {
  /**
   * Throws ESTOP_ACTIVE, CONTROL_HELD, BUSY, RATE, SERIAL_DOWN, SAFETY_UNAVAILABLE, ID_REUSED, REVOKED
   * (`authority` has already ended) or another `GatewayError` before anything is sent. A repeated commandId
   * with the same content returns the same command, except for a stop, which is executed again and returns a
   * new command. The command ends when `authority` ends.
   */
  accept(order: Order, origin: Origin, authority?: Authority): Command;
  find(commandId: string): Command | undefined;
  /** Ends a running command with a stop that does not latch, or removes a queued command. */
  protect(command: Command, reason: Reason): void;
  /** Never rejected or queued: the stop frame is written to the serial line before this method returns. */
  stopOwn(kind: StopKind, origin: StopOrigin): void;
  /**
   * Resolves when the latch is on disk; a latching stop must not be acknowledged earlier. If this method rejects
   * with WRITE_FAILED, the cart stays latched until this process ends.
   */
  latchSaved(): Promise<void>;
  /**
   * Resolves when the controller has acknowledged the last stop, or immediately if the controller sends no
   * acknowledgements. Rejects with SERIAL_DOWN, SERIAL_LOST or SERIAL_ACK_TIMEOUT.
   */
  stopConfirmed(): Promise<void>;
  /** Number of latching stops since startup, including repeats; incremented before listeners are called. */
  readonly emergencyStops: number;
  /** Resets the controller, then the gateway. Rejects with RESET_REFUSED (409) or RESET_FORBIDDEN (403). */
  resetOwn(origin: Origin): Promise<void>;
  ownCart(): CartView;
  /** Changes to a stationary cart's numeric values are reported at most every 400 ms. */
  onOwnChange(listener: () => void): Cancel;
  onOwnCommand(listener: (command: Command) => void): Cancel;
}

/** A cart number that is used by several gateways at the same time. */
export interface DuplicateCart {
  cartID: number;
  /** The other gateways' IDs, which start with their host names; for a remote cart, the IDs of all gateways. */
  gateways: string[];
  reason: Text;
  /** True if the duplicate has been silent for 10 s, so that an operator can clear the conflict. */
  isSilent: boolean;
}

/** A cart's number and name, as in the settings. */
export interface CartName {
  cartID: number;
  name: string;
}

export interface RemoteCarts {
  /**
   * Throws BROKER_DOWN, CART_OFFLINE, CART_UNKNOWN, DUPLICATE_IDENTITY or ESTOP_ACTIVE without publishing the
   * order.
   */
  send(order: Order, origin: Origin, authority?: Authority): Command;
  /** Cancels the command on its cart, even if it has not started; on this gateway, it ends with `reason`. */
  cancel(command: Command, reason: Reason): void;
  /**
   * Publishes the stop before returning (`null` stops all carts) and resends it until each cart confirms it.
   * Resolves within 1 s with the confirmations; never rejects.
   */
  stop(cartId: number | null, kind: StopKind, origin: StopOrigin): Promise<StoppedCart[]>;
  /** Ends the retries of an unconfirmed stop, after a reset or at the operator's request. */
  giveUpStop(cartId: number): void;
  /** Resolves within 2 s with the cart's latch state, or rejects with the cart's error or ACK_TIMEOUT. */
  reset(cartId: number, origin: Origin): Promise<EmergencyStop>;
  has(cartId: number): boolean;
  /** True if another gateway uses, or seems to use, this gateway's cart number. */
  readonly hasNamesake: boolean;
  /**
   * Returns the cart numbers that are used by several gateways, in ascending order; can include this gateway's cart
   * number.
   */
  duplicates(): DuplicateCart[];
  /** Returns why motion is forbidden; undefined unless several gateways use the number. */
  duplicate(cartId: number): Refusal | undefined;
  /** Throws DUPLICATE_IDENTITY if the duplicate has published within the last 10 s. */
  clearDuplicate(cartId: number): void;
  /** Returns at most `most` carts, sorted by cart number. */
  carts(most?: number): CartView[];
  cart(cartId: number): CartView | undefined;
  /** Returns the carts that have published on the broker but are missing from the settings, sorted by cart number. */
  unlisted(): CartName[];
  onChange(listener: (cartId: number) => void): Cancel;
  onCommand(listener: (command: Command) => void): Cancel;
}
