import {
  begin,
  cancel,
  connect,
  disconnect,
  drop,
  enqueue,
  giveUp,
  hold,
  releaseJog,
  renewJog,
  startNext,
  stopMotion,
  timeOut,
} from './machine-motion.js';
import { cancelWaiting, expireWaiting } from './machine-queue.js';
import { acknowledge, followReport, refuse, releaseAtStandstill } from './machine-reports.js';
import type { Accepted, Draft, Effect, In, Input, MachineState, Motion } from './machine-types.js';

/**
 * The motion of one cart and the commands that wait behind it, as a pure state machine. `TRANSITIONS` is the whole of
 * it: what each input does in each phase. The machine reads no clock and performs nothing: the executor feeds every
 * input and performs the effects in order. Frames come before transitions, so the line is served before any listener.
 */

export function initialState<C extends Accepted>(): MachineState<C> {
  const held = { principal: '', untilMs: 0 };
  return { session: undefined, motion: undefined, waiting: [], lastWireId: 0, held };
}

/**
 * The state after an input, and what is to be done about it. Throws BUSY or QUEUE_FULL for a command that finds no
 * place, with nothing changed.
 */
export function step<C extends Accepted>(
  state: MachineState<C>,
  input: Input<C>,
  nowMs: number,
): { state: MachineState<C>; effects: Effect<C>[] } {
  const draft: Draft = { ...state, nowMs, effects: [] };
  const handle = TRANSITIONS[state.motion?.phase ?? 'idle'][input.type] as Handler | undefined;
  handle?.(draft, input);
  const { nowMs: _, effects, ...next } = draft;
  return { state: next as MachineState<C>, effects: effects as Effect<C>[] };
}

/** Whether the driver of a stopped jog still holds the controls: a jog of theirs must not start the cart again. */
export function isHeld({ held }: MachineState, principal: string, nowMs: number): boolean {
  return held.principal === principal && nowMs < held.untilMs;
}

type Handler = (draft: Draft, input: Input) => void;
type Row = { readonly [Type in Input['type']]?: (draft: Draft, input: In<Type>) => void };

/** By the phase of the motion. An input without an entry changes nothing in that phase. */
const TRANSITIONS: Readonly<Record<'idle' | Motion<Accepted>['phase'], Row>> = {
  idle: {
    connected: connect,
    lost: disconnect,
    drop,
    // Waiting commands without a motion: the answer to `next` is under way, and the order stays.
    command: (draft, { command }) => (draft.waiting.length > 0 ? enqueue : begin)(draft, command),
    next: startNext,
    held: hold,
    stop: stopMotion,
    cancel: cancelWaiting,
    tick: expireWaiting,
  },
  moving: {
    connected: connect,
    lost: disconnect,
    drop,
    command: (draft, { command }) => enqueue(draft, command),
    renew: renewJog,
    release: releaseJog,
    held: hold,
    stop: stopMotion,
    cancel,
    ack: acknowledge,
    nack: refuse,
    report: followReport,
    tick: (draft) => {
      timeOut(draft);
      expireWaiting(draft);
    },
  },
  stopping: {
    connected: connect,
    lost: disconnect,
    drop,
    command: (draft, { command }) => enqueue(draft, command),
    held: hold,
    stop: stopMotion,
    cancel,
    report: followReport,
    status: releaseAtStandstill,
    tick: (draft) => {
      giveUp(draft);
      expireWaiting(draft);
    },
  },
};
