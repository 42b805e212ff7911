import type { Actor } from '../../shared/actor.js';
import type { CommandResult, CommandState, Order, Origin, Reason, Telemetry } from '../command/model.js';
import type { MotionReport } from '../serial/driver.js';
import type { MotionLimits } from './motion-duration.js';

export interface Accepted {
  readonly order: Order;
  readonly origin: Origin;
  readonly acceptedAtMs: number;
}

/** `acknowledges`: the controller confirms frames. `measures`: the controller reports the distance driven. */
interface Session {
  acknowledges: boolean;
  measures: boolean;
  limits: MotionLimits;
}

/** In the phase `stopping`, a stop has been sent and the cart is not yet stationary. */
export interface Motion<C> {
  command: C;
  wireId: number;
  phase: 'moving' | 'stopping';
  progress: CommandState;
  /** True if a jog's controls were released; the command finishes when the cart is stationary. */
  released: boolean;
  /** Deadline for the end of the motion or, in the phase `stopping`, for the cart to be stationary. */
  deadlineMs: number;
  tickedAtMs: number;
  stoppedAtMs: number;
}

/**
 * The time to live of a command sent with `onBusy: queue` is suspended while a command ahead of it has not
 * ended. Other commands and jogs expire while they wait.
 */
export interface Waiting<C extends Accepted = Accepted> {
  command: C;
  /** The time to live in ms that is left from `sinceMs` on. */
  leftMs: number;
  /** Undefined while the time to live is suspended. */
  sinceMs: number | undefined;
}

export interface MachineState<C extends Accepted = Accepted> {
  readonly session: Session | undefined;
  readonly motion: Readonly<Motion<C>> | undefined;
  /** The motion that a latching stop ended, until the controller has reported the distance driven. */
  readonly dropped: { wireId: number; command: C } | undefined;
  readonly waiting: readonly Readonly<Waiting<C>>[];
  readonly lastWireId: number;
  /** Until `untilMs`, `actor` is assumed to be holding the controls of a stopped jog. */
  readonly held: { actor: Actor | undefined; untilMs: number };
}

export type Ended = 'FAILED' | 'EXPIRED' | 'CANCELLED';

export type MachineInput<C extends Accepted = Accepted> =
  | { type: 'connected'; session: Session }
  | { type: 'lost'; reason: Reason }
  /** An ESTOP frame has been sent, so every command fails and no further frame is sent. */
  | { type: 'drop'; reason: Reason }
  | { type: 'execute'; command: C }
  /** Response to the effect `next`. `refused` states why the first queued command must not start. */
  | { type: 'next'; refused: { state: Ended; reason: Reason } | undefined }
  | { type: 'renew'; order: Order }
  | { type: 'release'; command: C }
  | { type: 'held' }
  /** A person, program or gateway took control, so all other actors' queued commands are cancelled. */
  | { type: 'control'; holder: Actor }
  | { type: 'stop'; category: 1 | 2; reason: Reason; state: 'CANCELLED' | 'FAILED' }
  | { type: 'cancel'; command: C; reason: Reason }
  | { type: 'ack'; wireId: number }
  | { type: 'nack'; wireId: number; reason: Reason }
  /** `reason` states why the protective field ended the motion, if it did. */
  | { type: 'report'; report: MotionReport; reason?: Reason | undefined }
  | { type: 'status'; telemetry: Telemetry }
  /** `pace`: the speed that a zone or an obstacle permits since the last tick, as a share of the planned speed. */
  | { type: 'tick'; pace?: number };

export type Effect<C extends Accepted = Accepted> =
  | { type: 'start'; command: C; wireId: number; durationMs: number; startByMs: number }
  | { type: 'renew'; order: Order; wireId: number; leaseMs: number }
  | { type: 'stop'; category: 1 | 2 }
  /** Ends the session of a cart that has not stopped, so that the controller's watchdog stops the cart. */
  | { type: 'runaway'; reason: Reason }
  /** The controller's E-stop was triggered and must be latched, which ends all commands. */
  | { type: 'estop' }
  | { type: 'advance'; command: C; state: CommandState; cause: string }
  | { type: 'finish'; command: C; result: CommandResult }
  | { type: 'end'; command: C; state: Ended; reason: Reason }
  /** Adds the distance driven to a command that has already ended. */
  | { type: 'measured'; command: C; result: CommandResult }
  /** Checks whether the first queued command can start; the response is the input `next`. */
  | { type: 'next' };

export type Draft = { -readonly [K in keyof MachineState]: MachineState[K] } & {
  nowMs: number;
  effects: Effect[];
};
export type In<Type extends MachineInput['type']> = Extract<MachineInput, { type: Type }>;
