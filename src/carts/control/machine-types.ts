import type { CommandResult, CommandState, Order, Origin, Reason, Telemetry } from '../command/model.js';
import type { MotionReport } from '../serial/driver.js';
import type { MotionLimits } from './motion-duration.js';

/** A command as far as the machine reads it. */
export interface Accepted {
  readonly order: Order;
  readonly origin: Origin;
  readonly acceptedAtMs: number;
}

/** What the connected controller can do. `acknowledges`: it confirms frames. `measures`: it reports the distance driven. */
interface Session {
  acknowledges: boolean;
  measures: boolean;
  limits: MotionLimits;
}

/** The motion that was sent to the controller. In `stopping` a stop was sent and the standstill is awaited. */
export interface Motion<C> {
  command: C;
  wireId: number;
  phase: 'moving' | 'stopping';
  progress: CommandState;
  /** The driver let go of a jog: the command is still open and finishes at standstill. */
  released: boolean;
  /** Moving: the motion must have ended by then. Stopping: the cart must stand by then. */
  deadlineMs: number;
  stoppedAtMs: number;
}

export interface MachineState<C extends Accepted = Accepted> {
  readonly session: Session | undefined;
  readonly motion: Readonly<Motion<C>> | undefined;
  readonly waiting: readonly C[];
  readonly lastWireId: number;
  /** The driver whose jog was stopped, and until when the controls count as still held. */
  readonly held: { principal: string; untilMs: number };
}

/** How a command ends that does not finish. */
export type Ended = 'FAILED' | 'EXPIRED' | 'CANCELLED';

export type Input<C extends Accepted = Accepted> =
  | { type: 'connected'; session: Session }
  | { type: 'lost'; reason: Reason }
  /** An E-stop frame was sent: everything fails without a further frame. */
  | { type: 'drop'; reason: Reason }
  | { type: 'command'; command: C }
  /** The answer to the effect `next`: whether the first waiting command may start. */
  | { type: 'next'; refused: { state: Ended; reason: Reason } | undefined }
  | { type: 'renew'; order: Order }
  /** The driver let go of the jog. */
  | { type: 'release'; command: C }
  /** The driver, whose jog was stopped, still holds the controls. */
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
  /** The cart does not stop: end the session, so that the controller's own deadman acts. */
  | { type: 'runaway'; reason: Reason }
  | { type: 'advance'; command: C; state: CommandState; cause: string }
  | { type: 'finish'; command: C; result: CommandResult }
  | { type: 'end'; command: C; state: Ended; reason: Reason }
  /** How far a command that has ended went. */
  | { type: 'measured'; command: C; result: CommandResult }
  /** Evaluate the interlocks for the first waiting command and feed `next`. */
  | { type: 'next' };

/** The state after the input, while a handler writes it. */
export type Draft = { -readonly [K in keyof MachineState]: MachineState[K] } & {
  nowMs: number;
  effects: Effect[];
};
/** One kind of input. */
export type In<Type extends Input['type']> = Extract<Input, { type: Type }>;
