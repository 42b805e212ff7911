import type { Actor } from '../../shared/actor.js';
import type { ErrorCode, ErrorDetails, Fault } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { CartLocation } from '../../shared/ports/navigation/plan-pose.js';
import type { FieldView } from '../protective-field/model.js';

export type CommandState = (typeof COMMAND_STATES)[number];

export interface Reason extends Pick<ErrorDetails, 'zoneId' | 'freeDistanceMm'> {
  code: ErrorCode;
  text: Text;
}

export interface Origin {
  source: 'http' | 'socket' | 'mqtt';
  /** The gateway that received the command from the user or program. */
  gatewayId: string;
  /** The user, API key or gateway that sent the command. */
  actor: Actor;
  /** True if `gatewayId` and `actor` are unverified, because the broker does not identify publishers. */
  claimed?: boolean;
}

export interface OriginView extends Omit<Origin, 'actor'> {
  /** The actor's name, always in English in HTTP responses and MQTT messages. */
  principal: Text;
}

export interface StopOrigin extends Origin {
  /** Identifies the press that latched a stop; the same for all carts that the press stopped. */
  pressId?: string;
}

/** The session or API key that authorises a command. The command ends when the authorisation ends. */
export interface Authority {
  /** Shared by all commands of one session or API key. */
  readonly id: string;
  /** Returns true while the session or key is valid and its rights are unchanged. */
  isGood(): boolean;
}

/** A valid request, in millimetres and tenths of a degree; positive values mean forward and left. */
export interface Order {
  commandId: string;
  cartId: number;
  kind: 'move' | 'jog' | 'stop';
  /** The request's numbers before the unit conversion. */
  raw: { distanceID: number; angleID: number };
  /** For a jog, the speed in mm/s. */
  distanceMm: number;
  /** For a jog, the turn speed in tenths of a degree per second. */
  angleDdeg: number;
  maxSpeedMmps: number;
  /** Maximum time from acceptance until the command starts. */
  ttlMs: number;
  onBusy: 'replace' | 'reject' | 'queue';
  /** A jog ends this long after its last renewal; 500 ms by default. */
  leaseMs?: number;
  /** The optional fields as sent, before the settings supplied missing values. */
  requested?: { [Field in 'maxSpeedMmps' | 'ttlMs' | 'onBusy']?: Order[Field] | undefined };
}

/** The gateway and the controller end a jog this long after its last renewal. */
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
  origin: OriginView;
  /** Wall-clock time of acceptance, ISO 8601. */
  acceptedAt: string;
  /** State changes in chronological order, with the time since acceptance in ms. */
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
  /** `unconfirmed` means that the controller does not acknowledge commands. */
  delivery: 'confirmed' | 'unconfirmed';
  firmware?: string;
  counters: {
    sent: number;
    received: number;
    dropped: number;
    retried: number;
    /** Number of reconnections after losses that the gateway did not cause. */
    reconnects: number;
    /** Number of sessions since startup; wheel travel between two sessions is unknown. */
    sessions: number;
  };
}

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

/** The pose from odometry, relative to the position at power-on. */
export interface CartPose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

export type EmergencyStop = 'NONE' | 'MANUAL' | 'REMOTE';

export interface SafetyView {
  mayMove: boolean;
  /** Empty if motion is allowed. */
  reason: Text;
  /** Empty if motion is allowed. A remote cart of another version may report a code that is not an `ErrorCode`. */
  code: string;
  emergencyStop: EmergencyStop;
  /** Source and time (ISO 8601) of the latched stop; present until the stop is reset. */
  stoppedBy?: Text;
  stoppedAt?: string;
  /** Identifies the press that latched the stop; carts of other manufacturers do not report this ID. */
  pressId?: string;
  input: 'healthy' | 'asserted' | 'unavailable' | 'off';
  pins: 'simulated' | 'onoff' | 'gpiod' | 'none';
  /** The next step required for a reset; empty if a reset would succeed now. */
  resetNeeds: Text;
  /** Machine-readable form of `resetNeeds`; present while a stop is latched. */
  resetStep?: ResetStep;
}

export interface ResetStep {
  code: (typeof RESET_STEPS)[number];
  /** True if the stop must be reset on the cart itself, not from a page or another gateway. */
  onCart: boolean;
  /** Minimum time in ms that the E-stop input must have been healthy before a reset. */
  healthyMs: number;
}

/** `FATAL` means that the cart must not move until the fault is repaired. */
export interface CartFault extends Fault {
  level?: 'FATAL';
}

export const SITE_PLAN_STATES = ['NONE', 'CURRENT', 'NEEDS_REVIEW', 'OTHER_FLOOR_PLAN', 'REFUSED'] as const;

/** The site plan that a cart uses, if gateways share one. */
export interface CartSitePlan {
  /** 0 if the cart has no shared site plan. */
  version: number;
  /** The hash of the floor plan on which the zones and places were drawn; null if there are none. */
  planHash: string | null;
  /**
   * `NEEDS_REVIEW`: the owner must confirm the plan on its changed floor plan. `OTHER_FLOOR_PLAN`: the cart's own floor
   * plan differs. `REFUSED`: the cart keeps its version, because the owner has published an older one.
   */
  state: (typeof SITE_PLAN_STATES)[number];
}

export interface CartView {
  cartID: number;
  name: string;
  /** `serial` denotes this gateway's cart; `mqtt` denotes a remote cart. */
  destination: 'serial' | 'mqtt';
  simulated: boolean;
  online: boolean;
  /** Why the cart is unreachable; empty if it is reachable. */
  reason: Text;
  moving: boolean;
  /** Time in ms since the cart's last report; null before the first report. */
  ageMs: number | null;
  link?: LinkView;
  safety: SafetyView;
  telemetry?: Telemetry;
  pose?: CartPose;
  /** Location on the floor plan; absent if unknown. */
  location?: CartLocation;
  /** Present if the cart's controller has a protective field. */
  field?: FieldView;
  commandId?: string;
  controlledBy?: string;
  /** A stop that the cart has not confirmed in time; the gateway resends it. */
  stopPending?: 'stop' | 'halt' | 'estop';
  /** Absent if the cart's gateway does not share its site plan. */
  sitePlan?: CartSitePlan;
  faults: CartFault[];
}

/** `by` is the user or API key that sent the cart's current command. */
export interface CartMove {
  cartID: number;
  name: string;
  by: string;
}

export interface StoppedCart {
  cartID: number;
  name: string;
  /** True if the controller or, for a remote cart, its gateway has confirmed that the stop was executed. */
  confirmed: boolean;
  code?: ErrorCode;
  reason?: Text;
}

export type WaitFor = 'accept' | 'ack' | 'done';

/** Positions older than this are no longer shown, because the cart may since have been moved or removed. */
export const POSITION_KEPT_MS = 3_600_000;

/** Position computed from received beacons, or why the position is unknown. */
export interface CartPosition {
  cartID: number;
  /** ISO 8601. */
  heardAt: string;
  observation: object;
}

/**
 * States of a command, in chronological order. A command advances only to later states. The last five states are
 * final.
 */
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

/** Steps to reset a latched stop, in the required order; the last step is the reset itself. */
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
