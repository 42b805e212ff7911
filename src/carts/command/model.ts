import type { Fault } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';

export type CommandState = (typeof COMMAND_STATES)[number];

/** Why a command did not finish: a code for programs and a text for people. */
export interface Reason {
  code: string;
  text: Text;
}

/** Source of a command: a page, the API, or another gateway over MQTT. */
export interface Origin {
  source: 'http' | 'socket' | 'mqtt';
  /** The gateway that received the command from its user. */
  gatewayId: string;
  /** The user, key or gateway that sent it. */
  principal: string;
  /** True if both are unverified, because the broker does not identify the message's publisher. */
  claimed?: boolean;
}

/** The session or key that authorises a command. The command ends when it does. */
export interface Authority {
  /** Identical for all commands from the same session or key. */
  readonly id: string;
  /** True while it remains valid with unchanged rights. */
  isGood(): boolean;
}

/** A valid command request in internal units: millimetres and tenths of a degree; + = forward and left. */
export interface Order {
  commandId: string;
  cartId: number;
  kind: 'move' | 'jog' | 'stop';
  /** The request's numbers, unconverted. */
  raw: { distanceID: number; angleID: number };
  /** Jog: mm/s. */
  distanceMm: number;
  /** Jog: tenths of a degree per second. */
  angleDdeg: number;
  maxSpeedMmps: number;
  /** The command must start within this time after acceptance. */
  ttlMs: number;
  onBusy: 'replace' | 'reject' | 'queue';
  /** Jog: ends this long after its last renewal; 500 ms by default. */
  leaseMs?: number;
}

/**
 * Default lease of a jog, which ends this long after its last renewal, in the gateway and in the controller.
 */
export const JOG_LEASE_MS = 500;

/** A state change, timed on the gateway's monotonic clock. */
export interface Transition {
  state: CommandState;
  atMs: number;
  cause: string;
}

/** A command as shown by pages, the API and MQTT messages. */
export interface CommandView {
  commandId: string;
  cartID: number;
  kind: Order['kind'];
  destination: 'serial' | 'mqtt';
  state: CommandState;
  distanceID: number;
  angleID: number;
  distanceMm: number;
  angleDeg: number;
  maxSpeed: number;
  ttlMs: number;
  origin: Origin;
  /** Wall-clock time of acceptance, ISO 8601. */
  acceptedAt: string;
  /** States passed, in order, with the time since acceptance in ms. */
  timeline: { state: CommandState; ms: number; cause: string }[];
  reason?: Reason;
  result?: CommandResult;
  simulated: boolean;
}

/** Distance driven and angle turned, where known. */
export interface CommandResult {
  distanceMm: number;
  angleDeg: number;
  /** True if the driver has no feedback. */
  estimated: boolean;
}

export type LinkState = 'DOWN' | 'OPENING' | 'HELLO' | 'READY' | 'DEGRADED' | 'LOST' | 'INCOMPATIBLE';

export interface LinkView {
  state: LinkState;
  /** Empty when READY. */
  reason: Text;
  path: string;
  driver: string;
  simulated: boolean;
  /** `unconfirmed`: the controller does not acknowledge commands. */
  delivery: 'confirmed' | 'unconfirmed';
  firmware?: string;
  counters: { sent: number; received: number; dropped: number; retried: number; reconnects: number };
}

/** The controller's last status. */
export interface Telemetry {
  state: 'BOOT' | 'IDLE' | 'RUNNING' | 'STOPPING' | 'ESTOP' | 'FAULT' | 'LINK_LOST';
  faults: string[];
  progressMm: number;
  odoLeftMm: number;
  odoRightMm: number;
  speedMmps: number;
  omegaDdegps: number;
  batteryMv: number | null;
  batteryCa: number | null;
  soc: number | null;
  tempBoardC: number | null;
  tempM1C: number | null;
  tempM2C: number | null;
}

/** Position and heading from odometry, relative to the position at power-on. */
export interface Pose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

export type EmergencyStop = 'NONE' | 'MANUAL' | 'REMOTE';

export interface SafetyView {
  mayMove: boolean;
  /** Empty when it may move. */
  reason: Text;
  code: string;
  emergencyStop: EmergencyStop;
  /** Source and time (ISO 8601) of the stop; present while latched. */
  stoppedBy?: Text;
  stoppedAt?: string;
  input: 'healthy' | 'asserted' | 'unavailable' | 'off';
  pins: 'simulated' | 'onoff' | 'gpiod' | 'none';
  /** What a reset needs next; empty if it would succeed. */
  resetNeeds: Text;
  /** Machine-readable form of `resetNeeds`; present while latched. */
  resetStep?: ResetStep;
}

/** The next step of a reset. */
export interface ResetStep {
  code: (typeof RESET_STEPS)[number];
  /** True if the reset must be performed on the cart, not from a page or another gateway. */
  onCart: boolean;
  /** How long the emergency-stop input must be healthy before a reset. */
  healthyMs: number;
}

/** `FATAL`: the cart may not move until the fault is repaired. */
export interface CartFault extends Fault {
  level?: 'FATAL';
}

/** A cart as shown by pages, the API and MQTT messages. */
export interface CartView {
  cartID: number;
  name: string;
  /** `serial`: this gateway's own cart. `mqtt`: a remote cart. */
  destination: 'serial' | 'mqtt';
  simulated: boolean;
  online: boolean;
  /** Why the cart is not reachable; empty if it is. */
  reason: Text;
  moving: boolean;
  /** ms since the cart's last report; null = none received yet. */
  ageMs: number | null;
  link?: LinkView;
  safety: SafetyView;
  telemetry?: Telemetry;
  pose?: Pose;
  /** The running command, or the last one. */
  commandId?: string;
  /** The principal that holds control. */
  controlledBy?: string;
  /** A stop that the cart has not confirmed in time; it is resent until confirmed. */
  stopPending?: 'stop' | 'halt' | 'estop';
  faults: CartFault[];
}

/** A cart that is executing one of this gateway's commands, and the user or key that sent the command. */
export interface CartMove {
  cartID: number;
  name: string;
  by: string;
}

export interface StoppedCart {
  cartID: number;
  name: string;
  /** The controller (own cart) or the cart's gateway (remote carts) reported that it executed this stop. */
  confirmed: boolean;
  /** Why it is not confirmed. */
  code?: string;
  reason?: Text;
}

/** The stage that a command must reach before its request is answered. */
export type WaitFor = 'accept' | 'ack' | 'done';

/** A cart's position, derived from received beacons, or why it is unknown. */
export interface CartPosition {
  cartID: number;
  /** ISO 8601. */
  heardAt: string;
  observation: object;
}

/** Command states in order. A command only moves forward; the last five are final. */
export const COMMAND_STATES = [
  'ACCEPTED',
  'QUEUED',
  'SENT',
  'ACKNOWLEDGED',
  'RUNNING',
  'PAUSED',
  'FINISHED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
  'REJECTED',
] as const;

/** The steps of a reset; the last one is the reset itself. */
export const RESET_STEPS = [
  'RELEASE_BUTTON',
  'WAIT',
  'PRESS_RESET_ON_CART',
  'ALLOW_REMOTE_RESET',
  'CONNECT_CONTROLLER',
  'REPAIR_INPUT',
  'REPAIR_POWER',
  'HOLD_RESET',
] as const;
