import type { Fault } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';

/**
 * The words of the carts room. A **cart** is the vehicle; a **command** is one wish for it, with an identity and a life;
 * a **frame** is bytes on the serial line and never appears here.
 */

export type CommandState = (typeof COMMAND_STATES)[number];

/** Why a command ended otherwise than finished: a code for machines, a sentence for people. */
export interface Reason {
  code: string;
  text: Text;
}

/** Who asked: a person or program through a page or the API, or another gateway through the MQTT tree. */
export interface Origin {
  source: 'http' | 'socket' | 'mqtt';
  /** The gateway that took the wish from its user. */
  gatewayId: string;
  /** The user, key or gateway that is answerable for it. */
  principal: string;
  /** Both are only what a message said: its broker does not tell this gateway who published it. */
  claimed?: boolean;
}

/** The session or key that a command was given with: the command lasts no longer than it does. */
export interface Authority {
  /** The same for commands of the same session or key. */
  readonly id: string;
  /** Reads whether it is still valid, with the same rights. */
  isGood(): boolean;
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

/** A jog without a lease of its own ends this long after its last request, here and in the controller. */
export const JOG_LEASE_MS = 500;

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
  reason: Text;
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
  reason: Text;
  code: string;
  emergencyStop: EmergencyStop;
  /** Who or what stopped it, and when (ISO 8601); present while latched. */
  stoppedBy?: Text;
  stoppedAt?: string;
  input: 'healthy' | 'asserted' | 'unavailable' | 'off';
  pins: 'simulated' | 'onoff' | 'gpiod' | 'none';
  /** What a reset needs now; empty when a reset would be taken. */
  resetNeeds: Text;
  /** The same for machines; present while latched. */
  resetStep?: ResetStep;
}

/** What comes next on the way to a reset. */
export interface ResetStep {
  code: (typeof RESET_STEPS)[number];
  /** The reset itself is made on the cart: a page or another gateway may not. */
  onCart: boolean;
  /** How long the emergency-stop input has to be healthy first. */
  healthyMs: number;
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
  reason: Text;
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
  /** A stop that the cart has not confirmed in time: it is sent again until it does. */
  stopPending?: 'stop' | 'halt' | 'estop';
  faults: CartFault[];
}

/** A cart that carries out a command of this gateway, and the user or key that sent the command. */
export interface CartMove {
  cartID: number;
  name: string;
  by: string;
}

/** Whether one cart has confirmed a stop. */
export interface StoppedCart {
  cartID: number;
  name: string;
  /** The controller (own cart) or the cart's gateway (other carts) reported that it carried out this stop. */
  confirmed: boolean;
  /** Why it is not confirmed. */
  code?: string;
  reason?: Text;
}

/** What a command dispatcher answers to a submission: the command, and the promise of its progress. */
export type WaitFor = 'accept' | 'ack' | 'done';

/** Where a cart is by what it hears, or why that cannot be told: what the beacon registry answers. */
export interface CartPosition {
  cartID: number;
  /** ISO 8601, for people. */
  heardAt: string;
  observation: object;
}

/** Where a command is on its way. It only moves to the right; the last five are final. */
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

/** What may stand between an emergency stop and its reset, and at last the reset itself. */
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
