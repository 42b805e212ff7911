import { type Actor, isSameActor } from '../../shared/actor.js';
import {
  beginMotion,
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
import { cancelWaiting, dropOthers, expireWaiting, startByMs } from './machine-queue.js';
import { acknowledge, followReport, measureDropped, refuse, releaseAtStandstill } from './machine-reports.js';
import type { Accepted, Draft, Effect, In, MachineInput, MachineState, Motion } from './machine-types.js';

/**
 * Pure state machine for one cart's motion and commands. Frame effects precede command transitions, so that
 * frames are written before any listener runs.
 */

export function initialState<C extends Accepted>(): MachineState<C> {
  const held = { actor: undefined, untilMs: 0 };
  return { session: undefined, motion: undefined, dropped: undefined, waiting: [], lastWireId: 0, held };
}

/** Throws BUSY or QUEUE_FULL without changing the state. */
export function step<C extends Accepted>(
  state: MachineState<C>,
  input: MachineInput<C>,
  nowMs: number,
): { state: MachineState<C>; effects: Effect<C>[] } {
  const draft: Draft = { ...state, nowMs, effects: [] };
  const handle = TRANSITIONS[state.motion?.phase ?? 'idle'][input.type] as Handler | undefined;
  handle?.(draft, input);
  const { nowMs: _, effects, ...next } = draft;
  return { state: next as MachineState<C>, effects: effects as Effect<C>[] };
}

/** True while `actor` holds the controls of a stopped jog, which must not restart the cart. */
export function isHeld({ held }: MachineState, actor: Actor, nowMs: number): boolean {
  return held.actor !== undefined && isSameActor(held.actor, actor) && nowMs < held.untilMs;
}

type Handler = (draft: Draft, input: MachineInput) => void;
type Row = { readonly [Type in MachineInput['type']]?: (draft: Draft, input: In<Type>) => void };

/** Handlers by motion phase. An input that has no handler in the current phase is ignored. */
const TRANSITIONS: Readonly<Record<'idle' | Motion<Accepted>['phase'], Row>> = {
  idle: {
    connected: connect,
    lost: disconnect,
    drop,
    // If commands are queued but no motion is running, `next` is pending, so the new command is queued too.
    command: (draft, { command }) => {
      if (draft.waiting.length > 0) enqueue(draft, command);
      else beginMotion(draft, command, startByMs(command));
    },
    next: startNext,
    held: hold,
    control: (draft, { holder }) => dropOthers(draft, holder),
    stop: stopMotion,
    cancel: cancelWaiting,
    report: measureDropped,
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
    control: (draft, { holder }) => dropOthers(draft, holder),
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
    control: (draft, { holder }) => dropOthers(draft, holder),
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
