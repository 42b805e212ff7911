import type { CommandResult, CommandState, Order, Origin, Reason, Telemetry } from '../command/model.js';
import type { MotionReport } from '../serial/driver.js';
import type { MotionLimits } from './motion-duration.js';

/** The part of a command that the machine reads. */
export interface Accepted {
  readonly order: Order;
  readonly origin: Origin;
  readonly acceptedAtMs: number;
}

/** Controller capabilities. `acknowledges`: confirms frames. `measures`: reports the distance driven. */
interface Session {
  acknowledges: boolean;
  measures: boolean;
  limits: MotionLimits;
}

/** The motion sent to the controller. `stopping`: a stop was sent, and the cart is not yet stationary. */
export interface Motion<C> {
  command: C;
  wireId: number;
  phase: 'moving' | 'stopping';
  progress: CommandState;
  /** The controls of a jog were released: its command stays open and finishes at standstill. */
  released: boolean;
  /** Moving: the motion must end by then. Stopping: the cart must be stationary by then. */
  deadlineMs: number;
  stoppedAtMs: number;
}

export interface MachineState<C extends Accepted = Accepted> {
  readonly session: Session | undefined;
  readonly motion: Readonly<Motion<C>> | undefined;
  readonly waiting: readonly C[];
  readonly lastWireId: number;
  /** The driver of a stopped jog, and the time until which its controls count as held. */
  readonly held: { principal: string; untilMs: number };
}

export type Ended = 'FAILED' | 'EXPIRED' | 'CANCELLED';

export type Input<C extends Accepted = Accepted> =
  | { type: 'connected'; session: Session }
  | { type: 'lost'; reason: Reason }
  /** An E-stop frame was sent: every command fails without a further frame. */
  | { type: 'drop'; reason: Reason }
  | { type: 'command'; command: C }
  /** Response to the effect `next`: the refusal of the first queued command, if any. */
  | { type: 'next'; refused: { state: Ended; reason: Reason } | undefined }
  | { type: 'renew'; order: Order }
  /** The controls of the jog were released. */
  | { type: 'release'; command: C }
  /** The controls of a stopped jog are still held. */
  | { type: 'held' }
  | { type: 'stop'; category: 1 | 2; reason: Reason; state: 'CANCELLED' | 'FAILED' }
  | { type: 'cancel'; command: C; reason: Reason }
  | { type: 'ack'; wireId: number }
  | { type: 'nack'; wireId: number; reason: Reason }
  | { type: 'report'; report: MotionReport }
  | { type: 'status'; telemetry: Telemetry }
  | { type: 'tick' };

export type Effect<C extends Accepted = Accepted> =
  /** Enable the motors and send the motion. */
  | { type: 'start'; command: C; wireId: number; durationMs: number }
  | { type: 'renew'; order: Order; wireId: number; leaseMs: number }
  | { type: 'stop'; category: 1 | 2 }
  /** The cart has not stopped: end the session, so that the controller's own watchdog acts. */
  | { type: 'runaway'; reason: Reason }
  | { type: 'advance'; command: C; state: CommandState; cause: string }
  | { type: 'finish'; command: C; result: CommandResult }
  | { type: 'end'; command: C; state: Ended; reason: Reason }
  /** The distance driven by a command that has ended. */
  | { type: 'measured'; command: C; result: CommandResult }
  /** Evaluate the interlocks for the first queued command and feed `next`. */
  | { type: 'next' };

/** The next state, which handlers modify. */
export type Draft = { -readonly [K in keyof MachineState]: MachineState[K] } & {
  nowMs: number;
  effects: Effect[];
};
export type In<Type extends Input['type']> = Extract<Input, { type: Type }>;
