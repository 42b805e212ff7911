import type { Fault } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';

export type CommandState = (typeof COMMAND_STATES)[number];

/** The reason why a command did not finish: a code for programs and a text for people. */
export interface Reason {
  code: string;
  text: Text;
}

/** Source of a command: a page, the API, or another gateway over MQTT. */
export interface Origin {
  source: 'http' | 'socket' | 'mqtt';
  /** The gateway to which the user or program sent the command. */
  gatewayId: string;
  /** The user, API key or gateway that sent the command. */
  principal: string;
  /**
   * True if `gatewayId` and `principal` are unverified because the broker does not identify the publisher of
   * a message.
   */
  claimed?: boolean;
}

/** The session or API key that authorises a command. When the session or key ends, the command ends. */
export interface Authority {
  /** The same for all commands from one session or API key. */
  readonly id: string;
  /** True while the session or key is valid and its rights are unchanged. */
  isGood(): boolean;
}

/**
 * A valid command request in internal units: millimetres and tenths of a degree. Positive values mean forward
 * and left.
 */
export interface Order {
  commandId: string;
  cartId: number;
  kind: 'move' | 'jog' | 'stop';
  /** The numbers in the request, before unit conversion. */
  raw: { distanceID: number; angleID: number };
  /** Jog: mm/s. */
  distanceMm: number;
  /** For a jog: tenths of a degree per second. */
  angleDdeg: number;
  maxSpeedMmps: number;
  /** The command must start within this time after acceptance. */
  ttlMs: number;
  onBusy: 'replace' | 'reject' | 'queue';
  /** For a jog: the time from its last renewal until it ends; 500 ms by default. */
  leaseMs?: number;
}

/** Default time from a jog's last renewal until the gateway and the controller end the jog. */
export const JOG_LEASE_MS = 500;

/** A state change, timed on the gateway's monotonic clock. */
export interface Transition {
  state: CommandState;
  atMs: number;
  cause: string;
}

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
  /** The command's states so far, in order, with the time since acceptance in ms. */
  timeline: { state: CommandState; ms: number; cause: string }[];
  reason?: Reason;
  result?: CommandResult;
  simulated: boolean;
}

export interface CommandResult {
  distanceMm: number;
  angleDeg: number;
  /** True if the values are estimates, for example because the driver has no feedback. */
  estimated: boolean;
}

export type LinkState = 'DOWN' | 'OPENING' | 'HELLO' | 'READY' | 'DEGRADED' | 'LOST' | 'INCOMPATIBLE';

export interface LinkView {
  state: LinkState;
  /** Empty if `state` is READY. */
  reason: Text;
  path: string;
  driver: string;
  simulated: boolean;
  /** `unconfirmed`: the controller does not acknowledge commands. */
  delivery: 'confirmed' | 'unconfirmed';
  firmware?: string;
  counters: { sent: number; received: number; dropped: number; retried: number; reconnects: number };
}

/** The last status that the controller reported. */
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
  /** Empty if the cart may move. */
  reason: Text;
  code: string;
  emergencyStop: EmergencyStop;
  /** Source and time (ISO 8601) of the emergency stop; present while it is latched. */
  stoppedBy?: Text;
  stoppedAt?: string;
  input: 'healthy' | 'asserted' | 'unavailable' | 'off';
  pins: 'simulated' | 'onoff' | 'gpiod' | 'none';
  /** The next step required for a reset; empty if a reset would succeed now. */
  resetNeeds: Text;
  /** Machine-readable form of `resetNeeds`; present while latched. */
  resetStep?: ResetStep;
}

export interface ResetStep {
  code: (typeof RESET_STEPS)[number];
  /** True if the reset must be performed on the cart itself, not on a page or from another gateway. */
  onCart: boolean;
  /** Time in ms for which the emergency-stop input must be healthy before a reset. */
  healthyMs: number;
}

/** `FATAL`: the cart must not move until the fault is repaired. */
export interface CartFault extends Fault {
  level?: 'FATAL';
}

export interface CartView {
  cartID: number;
  name: string;
  /** `serial`: this gateway's cart. `mqtt`: a remote cart. */
  destination: 'serial' | 'mqtt';
  simulated: boolean;
  online: boolean;
  /** The reason why the cart is unreachable; empty if it is reachable. */
  reason: Text;
  moving: boolean;
  /** Time in ms since the cart's last report; null if no report has been received yet. */
  ageMs: number | null;
  link?: LinkView;
  safety: SafetyView;
  telemetry?: Telemetry;
  pose?: Pose;
  /** Id of the most recently started command. */
  commandId?: string;
  controlledBy?: string;
  /** A stop that the cart did not confirm in time. It is resent until the cart confirms it. */
  stopPending?: 'stop' | 'halt' | 'estop';
  faults: CartFault[];
}

/** A cart that is executing a command from this gateway, and the user or API key that sent the command. */
export interface CartMove {
  cartID: number;
  name: string;
  by: string;
}

export interface StoppedCart {
  cartID: number;
  name: string;
  /**
   * True if the controller (for this gateway's cart) or the cart's gateway (for a remote cart) has confirmed
   * that the stop was executed.
   */
  confirmed: boolean;
  code?: string;
  reason?: Text;
}

/** The stage that a command must reach before the gateway responds to its request. */
export type WaitFor = 'accept' | 'ack' | 'done';

/** A cart's position derived from received beacons, or the reason why the position is unknown. */
export interface CartPosition {
  cartID: number;
  /** ISO 8601. */
  heardAt: string;
  observation: object;
}

/** Command states in order. A command only moves to later states. The last five states are final. */
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

/** The steps of a reset, in order. The last step is the reset itself. */
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
