import { GatewayError, never } from '../../shared/errors.js';
import { span } from '../../shared/messages/messages.js';
import {
  COMMAND_STATES,
  type CommandState,
  JOG_LEASE_MS,
  type Order,
  type Reason,
} from '../command/model.js';
import { holderOf } from '../command/origin.js';
import { driveMessage } from '../manual-drive/messages.js';
import { cartMessage } from '../messages.js';
import { safetyMessage } from '../safety/messages.js';
import {
  cancelWaiting,
  dropOthers,
  end,
  endWaiting,
  expire,
  expiresAtMs,
  PREDECESSOR_FAILED,
  requestNext,
  waitingOf,
} from './machine-queue.js';
import type { Accepted, Draft, Ended, In, Motion } from './machine-types.js';
import { maxDurationMs } from './motion-duration.js';

const MAX_WAITING = 8;
const STANDSTILL_GRACE_MS = 1500;

const NOT_STOPPED: Reason = { code: 'NOT_STOPPED', text: cartMessage('not-at-rest') };
const SUPERSEDED: Reason = { code: 'SUPERSEDED', text: cartMessage('superseded') };

export function connect(draft: Draft, { session }: In<'connected'>): void {
  draft.session = session;
}

export function disconnect(draft: Draft, { reason }: In<'lost'>): void {
  draft.session = undefined;
  drop(draft, { reason });
}

export function drop(draft: Draft, { reason }: { reason: Reason }): void {
  const { motion } = draft;
  draft.motion = undefined;
  draft.dropped = motion && { wireId: motion.wireId, command: motion.command };
  rememberJog(draft, motion);
  endWaiting(draft, 'FAILED', reason);
  if (motion) endMotion(draft, motion, 'FAILED', reason);
}

/** @param startByMs time by which the controller must start the motion. */
export function beginMotion(draft: Draft, command: Accepted, startByMs: number): void {
  const { session, nowMs } = draft;
  if (!session) {
    const reason: Reason = { code: 'SERIAL_DOWN', text: safetyMessage('not-connected') };
    return end(draft, command, 'FAILED', reason);
  }
  const isJog = command.order.kind === 'jog';
  const durationMs = isJog
    ? leaseLeftMs(command, nowMs)
    : maxDurationMs(command.order, session.limits, session.slowestShare);
  draft.lastWireId += 1;
  const wireId = draft.lastWireId;
  draft.effects.push({ type: 'start', command, wireId, durationMs, startByMs });
  draft.motion = {
    command,
    wireId,
    phase: 'moving',
    progress: 'ACCEPTED',
    released: false,
    deadlineMs: nowMs + durationMs,
    stoppedAtMs: 0,
  };
  if (isJog) advance(draft, 'RUNNING', 'jogging');
  else advance(draft, 'SENT', 'passed to the serial line');
}

export function enqueue(draft: Draft, command: Accepted): void {
  switch (command.order.onBusy) {
    case 'reject': {
      throw new GatewayError('BUSY', cartMessage('busy'), { hint: cartMessage('busy-hint') });
    }
    case 'queue':
      dropOthers(draft, holderOf(command.origin));
      if (draft.waiting.length < MAX_WAITING) break;
      throw new GatewayError('QUEUE_FULL', cartMessage('queue-full', { limit: MAX_WAITING }), {
        limit: MAX_WAITING,
      });
    case 'replace':
      if (draft.motion?.phase === 'moving') {
        stopMotion(draft, { category: 2, reason: SUPERSEDED, state: 'CANCELLED' });
      } else endWaiting(draft, 'CANCELLED', SUPERSEDED);
      break;
    default:
      never(command.order.onBusy);
  }
  draft.waiting = [...draft.waiting, waitingOf(draft, command)];
  draft.effects.push({ type: 'advance', command, state: 'QUEUED', cause: 'the cart is still moving' });
}

export function startNext(draft: Draft, { refused }: In<'next'>): void {
  const [first, ...rest] = draft.waiting;
  if (!first) return;
  const { command } = first;
  draft.waiting = rest;
  const startByMs = expiresAtMs(first);
  if (draft.nowMs >= startByMs) {
    expire(draft, command);
    return endWaiting(draft, 'CANCELLED', PREDECESSOR_FAILED);
  }
  if (!refused) return beginMotion(draft, command, startByMs);
  end(draft, command, refused.state, refused.reason);
  if (refused.state === 'CANCELLED') endWaiting(draft, 'CANCELLED', PREDECESSOR_FAILED);
  requestNext(draft);
}

export function renewJog(draft: Draft, { order }: In<'renew'>): void {
  const { motion, nowMs } = draft;
  if (!motion) return;
  const leaseMs = leaseOf(order);
  draft.effects.push({ type: 'renew', order, wireId: motion.wireId, leaseMs });
  draft.motion = { ...motion, deadlineMs: nowMs + leaseMs };
}

export function releaseJog(draft: Draft, { command }: In<'release'>): void {
  if (draft.motion?.command !== command) return;
  draft.effects.push({ type: 'stop', category: 2 });
  awaitStandstill(draft, { ...draft.motion, released: true });
}

export function hold(draft: Draft): void {
  draft.held = { ...draft.held, untilMs: draft.nowMs + JOG_LEASE_MS };
}

/** Sends a stop even if no motion is running. */
export function stopMotion(draft: Draft, { category, reason, state }: Omit<In<'stop'>, 'type'>): void {
  const { motion } = draft;
  draft.effects.push({ type: 'stop', category });
  endWaiting(draft, 'CANCELLED', reason);
  if (!motion) return;
  rememberJog(draft, motion);
  awaitStandstill(draft, motion);
  endMotion(draft, motion, state, reason);
}

export function cancel(draft: Draft, { command, reason }: In<'cancel'>): void {
  if (draft.motion?.command !== command) return cancelWaiting(draft, { command, reason });
  const followers = draft.waiting;
  draft.waiting = [];
  stopMotion(draft, { category: 2, reason, state: 'CANCELLED' });
  for (const follower of followers) end(draft, follower.command, 'CANCELLED', PREDECESSOR_FAILED);
}

export function timeOut(draft: Draft): void {
  const { motion, nowMs } = draft;
  if (!motion || nowMs < motion.deadlineMs) return;
  const { order } = motion.command;
  if (order.kind === 'jog') {
    const text = driveMessage('silent', { time: span(leaseOf(order)) });
    return stopMotion(draft, { category: 2, reason: { code: 'LEASE_ENDED', text }, state: 'CANCELLED' });
  }
  const reason: Reason = { code: 'TIMEOUT', text: cartMessage('too-long') };
  stopMotion(draft, { category: 2, reason, state: 'FAILED' });
}

/** Ends the session if the cart is not stationary by the deadline. */
export function giveUp(draft: Draft): void {
  if (!draft.motion || draft.nowMs < draft.motion.deadlineMs) return;
  draft.effects.push({ type: 'runaway', reason: NOT_STOPPED });
  drop(draft, { reason: NOT_STOPPED });
}

function awaitStandstill(draft: Draft, motion: Motion<Accepted>): void {
  if (motion.phase === 'stopping') return;
  const { maxSpeedMmps, decelMmps2 } = draft.session?.limits ?? { maxSpeedMmps: 0, decelMmps2: 1 };
  const deadlineMs = draft.nowMs + (maxSpeedMmps / decelMmps2) * 1000 + STANDSTILL_GRACE_MS;
  draft.motion = { ...motion, phase: 'stopping', deadlineMs, stoppedAtMs: draft.nowMs };
}

export function releaseMotion(draft: Draft): void {
  draft.motion = undefined;
  requestNext(draft);
}

/**
 * The operator of a stopped jog may still be holding the controls. Jogs with a manual-drive lease are
 * ignored, because a stop ends the lease.
 */
function rememberJog(draft: Draft, motion: Motion<Accepted> | undefined): void {
  if (motion?.command.order.kind !== 'jog' || motion.command.order.leaseMs !== undefined) return;
  const { actor } = motion.command.origin;
  draft.held = { actor, untilMs: draft.nowMs + JOG_LEASE_MS };
}

/** Does nothing if the motion's command has ended or has already reached `state`. */
export function advance(draft: Draft, state: CommandState, cause: string): void {
  const { motion } = draft;
  if (!motion || (motion.phase === 'stopping' && !motion.released)) return;
  if (COMMAND_STATES.indexOf(state) <= COMMAND_STATES.indexOf(motion.progress)) return;
  draft.motion = { ...motion, progress: state };
  draft.effects.push({ type: 'advance', command: motion.command, state, cause });
}

function endMotion(draft: Draft, motion: Motion<Accepted>, state: Ended, reason: Reason): void {
  if (motion.phase === 'stopping' && !motion.released) return;
  if (draft.motion) draft.motion = { ...draft.motion, released: false };
  end(draft, motion.command, state, reason);
}

/** Remaining lease of a queued jog in ms, counted from the jog's acceptance. */
function leaseLeftMs({ order, acceptedAtMs }: Accepted, nowMs: number): number {
  return Math.max(1, Math.ceil(leaseOf(order) - (nowMs - acceptedAtMs)));
}

function leaseOf({ leaseMs = JOG_LEASE_MS }: Order): number {
  return leaseMs;
}
