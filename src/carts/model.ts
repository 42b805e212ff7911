import type { Fault } from '../util/errors.js';
import { COMMAND_STATES } from './schema-command-state.js';

/**
 * The words of the carts room. A **cart** is the vehicle; a **command** is one wish for it, with an identity and a life;
 * a **frame** is bytes on the serial line and never appears here.
 */

export { COMMAND_STATES };
export type CommandState = (typeof COMMAND_STATES)[number];

/** Why a command ended otherwise than finished: a code for machines, a sentence for people. */
export interface Reason {
  code: string;
  text: string;
}

/** Who asked: a person or program through a page or the API, or another gateway through the MQTT tree. */
export interface Origin {
  source: 'http' | 'socket' | 'mqtt';
  /** The gateway that took the wish from its user. */
  gatewayId: string;
  /** The user, key or gateway that is answerable for it. */
  principal: string;
}

/** A valid wish in internal units: whole millimetres and tenths of a degree, + = forward and left. */
export interface Order {
  commandId: string;
  cartId: number;
  kind: 'move' | 'jog' | 'stop';
  /** What the customer sent, untouched. */
  raw: { distanceID: number; angleID: number };
  /** Jog: mm/s. */
  distanceMm: number;
  /** Jog: tenths of a degree a second. */
  angleDdeg: number;
  maxSpeedMmps: number;
  /** The command must have started within this many ms of being accepted. */
  ttlMs: number;
  onBusy: 'replace' | 'reject' | 'queue';
  /** Jog: ends after so many ms without a renewal; left out, after 500. */
  leaseMs?: number;
}

/** One step of a command's life, on the gateway's monotonic clock. */
export interface Transition {
  state: CommandState;
  atMs: number;
  cause: string;
}

/** A command as pages, the API and the tree see it. */
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
  /** Wall time of acceptance, ISO 8601: for people. */
  acceptedAt: string;
  /** ms since acceptance for every state passed through, in order. */
  timeline: { state: CommandState; ms: number; cause: string }[];
  reason?: Reason;
  result?: CommandResult;
  simulated: boolean;
}

/** How far the cart really went, as far as is known. */
export interface CommandResult {
  distanceMm: number;
  angleDeg: number;
  /** True when no sensor says so: the driver has no feedback. */
  estimated: boolean;
}

export type LinkState = 'DOWN' | 'OPENING' | 'HELLO' | 'READY' | 'DEGRADED' | 'LOST' | 'INCOMPATIBLE';

/** The serial link in words. */
export interface LinkView {
  state: LinkState;
  /** Empty when READY. */
  reason: string;
  path: string;
  driver: string;
  simulated: boolean;
  /** How sure a sent command is: confirmed by the controller, or not at all. */
  delivery: 'confirmed' | 'unconfirmed';
  firmware?: string;
  counters: { sent: number; received: number; dropped: number; retried: number; reconnects: number };
}

/** What the controller last said of itself. */
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

/** Where a cart is and how it moves, integrated from its own reports; metres and degrees from where it was switched on. */
export interface Pose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

export type EmergencyStop = 'NONE' | 'MANUAL' | 'REMOTE';

/** May this cart move, and if not, why not. */
export interface SafetyView {
  mayMove: boolean;
  /** Empty when it may move. */
  reason: string;
  code: string;
  emergencyStop: EmergencyStop;
  /** Who or what stopped it, and when (ISO 8601); present while latched. */
  stoppedBy?: string;
  stoppedAt?: string;
  input: 'healthy' | 'asserted' | 'unavailable' | 'off';
  pins: 'simulated' | 'onoff' | 'gpiod' | 'none';
  /** What a reset needs now; empty when a reset would be taken. */
  resetNeeds: string;
}

/** What is wrong with a cart. `FATAL`: nobody may drive before it is repaired. */
export interface CartFault extends Fault {
  level?: 'FATAL';
}

/** Everything a page shows of one cart. */
export interface CartView {
  cartID: number;
  name: string;
  /** `serial`: the cart that this gateway rides on. `mqtt`: another one. */
  destination: 'serial' | 'mqtt';
  simulated: boolean;
  online: boolean;
  /** Why it is not reachable; empty when it is. */
  reason: string;
  moving: boolean;
  /** ms since the last word from the cart, at the time of this view; null = never heard. */
  ageMs: number | null;
  link?: LinkView;
  safety: SafetyView;
  telemetry?: Telemetry;
  pose?: Pose;
  /** The command that runs, or ran last. */
  commandId?: string;
  /** Who holds control, while somebody does. */
  controlledBy?: string;
  faults: CartFault[];
}

/** What a command desk answers to a submission: the command, and the promise of its progress. */
export type WaitFor = 'accept' | 'ack' | 'done';

/** Where a cart is by what it hears, or why that cannot be told: what the beacon registry answers. */
export interface CartPosition {
  cartID: number;
  /** ISO 8601, for people. */
  heardAt: string;
  observation: object;
}
