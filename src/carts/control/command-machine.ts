import { type Actor, actorText, isSameActor } from '../../shared/actor.js';
import { GatewayError, never } from '../../shared/errors.js';
import { span } from '../../shared/messages/messages.js';
import { holderOf } from '../command/control-lease.js';
import {
  COMMAND_STATES,
  type CommandResult,
  type CommandState,
  JOG_LEASE_MS,
  type Order,
  type Reason,
} from '../command/model.js';
import { cartFaultMessage } from '../faults/messages.js';
import { driveMessage } from '../manual-drive/messages.js';
import { cartMessage } from '../messages.js';
import { safetyMessage } from '../safety/messages.js';
import { END_CODES } from '../serial/codec/event-reasons.js';
import type { MotionReport } from '../serial/driver.js';
import { serialMessage } from '../serial/messages.js';
import type {
  Accepted,
  Draft,
  Effect,
  Ended,
  In,
  MachineInput,
  MachineState,
  Motion,
  Waiting,
} from './machine-types.js';
import { maxDurationMs } from './motion-duration.js';

/**
 * Pure state machine for one cart's motion and commands. Frame effects precede command transitions, so that
 * frames are written before any listener runs. The table `TRANSITIONS` is followed by the handlers for the
 * motion, for the queue, and for the controller's replies and reports.
 */

const MAX_WAITING = 8;
const STANDSTILL_GRACE_MS = 1500;

const NOT_STOPPED: Reason = { code: 'NOT_STOPPED', text: cartMessage('not-at-rest') };
const SUPERSEDED: Reason = { code: 'SUPERSEDED', text: cartMessage('superseded') };
const PREDECESSOR_FAILED: Reason = {
  code: 'PREDECESSOR_FAILED',
  text: cartMessage('predecessor-failed'),
};
/** A status received this soon after a stop may have been sent before the controller received the stop. */
const STALE_STATUS_MS = 100;
const UNCONFIRMED = 'unconfirmed: this controller does not acknowledge commands';

const FAULT: Reason = { code: 'CONTROLLER_FAULT', text: serialMessage('nack.FAULT') };

const FAILED: Readonly<Record<number, Reason>> = {
  [END_CODES.tooLong]: { code: 'TIMEOUT', text: cartMessage('too-long') },
  [END_CODES.linkLost]: { code: 'SERIAL_LOST', text: serialMessage('deadman') },
  [END_CODES.fault]: FAULT,
  [END_CODES.obstacle]: { code: 'OBSTACLE', text: cartFaultMessage('obstacle') },
  [END_CODES.sensorSilent]: { code: 'SENSOR_SILENT', text: cartFaultMessage('sensorSilent') },
};

const CANCELLED: Readonly<Record<number, Reason>> = {
  [END_CODES.disarmed]: { code: 'CONTROLLER_DISARMED', text: serialMessage('nack.DISARMED') },
  [END_CODES.superseded]: { code: 'SUPERSEDED', text: cartMessage('superseded') },
};

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

/** Returns true while `actor` holds the controls of a stopped jog, which must not restart the cart. */
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
    execute: (draft, { command }) => {
      if (draft.waiting.length > 0) enqueue(draft, command);
      else startMotion(draft, command, startByMs(command));
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
    execute: (draft, { command }) => enqueue(draft, command),
    renew: renewJog,
    release: releaseJog,
    held: hold,
    control: (draft, { holder }) => dropOthers(draft, holder),
    stop: stopMotion,
    cancel,
    ack: acknowledge,
    nack: refuse,
    report: followReport,
    tick: (draft, { pace }) => {
      extend(draft, pace);
      timeOut(draft);
      expireWaiting(draft);
    },
  },
  stopping: {
    connected: connect,
    lost: disconnect,
    drop,
    execute: (draft, { command }) => enqueue(draft, command),
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

function connect(draft: Draft, { session }: In<'connected'>): void {
  draft.session = session;
}

function disconnect(draft: Draft, { reason }: In<'lost'>): void {
  draft.session = undefined;
  drop(draft, { reason });
}

function drop(draft: Draft, { reason }: { reason: Reason }): void {
  const { motion } = draft;
  draft.motion = undefined;
  draft.dropped = motion && { wireId: motion.wireId, command: motion.command };
  rememberJog(draft, motion);
  endWaiting(draft, 'FAILED', reason);
  if (motion) endMotion(draft, motion, 'FAILED', reason);
}

/** @param startByMs deadline for the controller to start the motion. */
function startMotion(draft: Draft, command: Accepted, startByMs: number): void {
  const { session, nowMs } = draft;
  if (!session) {
    const reason: Reason = { code: 'SERIAL_DOWN', text: safetyMessage('not-connected') };
    return end(draft, command, 'FAILED', reason);
  }
  const isJog = command.order.kind === 'jog';
  const durationMs = isJog ? leaseLeftMs(command, nowMs) : maxDurationMs(command.order, session.limits);
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
    tickedAtMs: nowMs,
    stoppedAtMs: 0,
  };
  if (isJog) advance(draft, 'RUNNING', 'jogging');
  else advance(draft, 'SENT', 'passed to the serial line');
}

function enqueue(draft: Draft, command: Accepted): void {
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

function startNext(draft: Draft, { refused }: In<'next'>): void {
  const [first, ...rest] = draft.waiting;
  if (!first) return;
  const { command } = first;
  draft.waiting = rest;
  const startByMs = expiresAtMs(first);
  if (draft.nowMs >= startByMs) {
    expire(draft, command);
    return endWaiting(draft, 'CANCELLED', PREDECESSOR_FAILED);
  }
  if (!refused) return startMotion(draft, command, startByMs);
  end(draft, command, refused.state, refused.reason);
  if (refused.state === 'CANCELLED') endWaiting(draft, 'CANCELLED', PREDECESSOR_FAILED);
  requestNext(draft);
}

function renewJog(draft: Draft, { order }: In<'renew'>): void {
  const { motion, nowMs } = draft;
  if (!motion) return;
  const leaseMs = leaseOf(order);
  draft.effects.push({ type: 'renew', order, wireId: motion.wireId, leaseMs });
  draft.motion = { ...motion, deadlineMs: nowMs + leaseMs };
}

function releaseJog(draft: Draft, { command }: In<'release'>): void {
  if (draft.motion?.command !== command) return;
  draft.effects.push({ type: 'stop', category: 2 });
  awaitStandstill(draft, { ...draft.motion, released: true });
}

function hold(draft: Draft): void {
  draft.held = { ...draft.held, untilMs: draft.nowMs + JOG_LEASE_MS };
}

/** Sends a stop even if no motion is running. */
function stopMotion(draft: Draft, { category, reason, state }: Omit<In<'stop'>, 'type'>): void {
  const { motion } = draft;
  draft.effects.push({ type: 'stop', category });
  endWaiting(draft, 'CANCELLED', reason);
  if (!motion) return;
  rememberJog(draft, motion);
  awaitStandstill(draft, motion);
  endMotion(draft, motion, state, reason);
}

function cancel(draft: Draft, { command, reason }: In<'cancel'>): void {
  if (draft.motion?.command !== command) return cancelWaiting(draft, { command, reason });
  const followers = draft.waiting;
  draft.waiting = [];
  stopMotion(draft, { category: 2, reason, state: 'CANCELLED' });
  for (const follower of followers) end(draft, follower.command, 'CANCELLED', PREDECESSOR_FAILED);
}

/** Extends the deadline of a move by the time that it has lost because its speed is limited. */
function extend(draft: Draft, pace = 1): void {
  const { motion, nowMs } = draft;
  if (motion?.command.order.kind !== 'move') return;
  const deadlineMs = motion.deadlineMs + (nowMs - motion.tickedAtMs) * (1 - pace);
  draft.motion = { ...motion, deadlineMs, tickedAtMs: nowMs };
}

function timeOut(draft: Draft): void {
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
function giveUp(draft: Draft): void {
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

function releaseMotion(draft: Draft): void {
  draft.motion = undefined;
  requestNext(draft);
}

/**
 * Records a stopped jog, because its operator may still be holding the controls. Ignores jogs with a manual-drive
 * lease, because a stop ends the lease.
 */
function rememberJog(draft: Draft, motion: Motion<Accepted> | undefined): void {
  if (motion?.command.order.kind !== 'jog' || motion.command.order.leaseMs !== undefined) return;
  const { actor } = motion.command.origin;
  draft.held = { actor, untilMs: draft.nowMs + JOG_LEASE_MS };
}

/** Does nothing if the motion's command has ended or has already reached `state`. */
function advance(draft: Draft, state: CommandState, cause: string): void {
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

/** Returns the remaining lease of a queued jog in ms, counted from the jog's acceptance. */
function leaseLeftMs({ order, acceptedAtMs }: Accepted, nowMs: number): number {
  return Math.max(1, Math.ceil(leaseOf(order) - (nowMs - acceptedAtMs)));
}

function leaseOf({ leaseMs = JOG_LEASE_MS }: Order): number {
  return leaseMs;
}

/** Called when no command is ahead of the first queued command. Its time to live starts to run now. */
function requestNext(draft: Draft): void {
  const [first, ...rest] = draft.waiting;
  if (!first) return;
  draft.waiting = [{ ...first, sinceMs: first.sinceMs ?? draft.nowMs }, ...rest];
  draft.effects.push({ type: 'next' });
}

function waitingOf({ motion, nowMs, waiting }: Draft, command: Accepted): Waiting {
  const { kind, onBusy } = command.order;
  const isMotionOpen = motion !== undefined && (motion.phase === 'moving' || motion.released);
  const isBehind = isMotionOpen || waiting.length > 0;
  // A queued jog's time to live is not suspended, because the sender must still hold the controls when it starts.
  const isSuspended = kind === 'move' && onBusy === 'queue' && isBehind;
  return { command, leftMs: startByMs(command) - nowMs, sinceMs: isSuspended ? undefined : nowMs };
}

function startByMs({ order, acceptedAtMs }: Accepted): number {
  return acceptedAtMs + order.ttlMs;
}

/** Returns Infinity while the time to live is suspended. */
function expiresAtMs({ leftMs, sinceMs = Number.POSITIVE_INFINITY }: Waiting): number {
  return sinceMs + leftMs;
}

function cancelWaiting(draft: Draft, { command, reason }: Omit<In<'cancel'>, 'type'>): void {
  const waiting = draft.waiting.find((queued) => queued.command === command);
  if (!waiting) return;
  const followers = takeFollowers(draft, waiting);
  end(draft, command, 'CANCELLED', reason);
  for (const follower of followers) end(draft, follower.command, 'CANCELLED', PREDECESSOR_FAILED);
}

function expireWaiting(draft: Draft): void {
  const expired = draft.waiting.find((waiting) => draft.nowMs >= expiresAtMs(waiting));
  if (!expired) return;
  const followers = takeFollowers(draft, expired);
  expire(draft, expired.command);
  for (const follower of followers) end(draft, follower.command, 'CANCELLED', PREDECESSOR_FAILED);
}

/** Cancels the commands that other actors queued before `holder` took control. */
function dropOthers(draft: Draft, holder: Actor): void {
  if (draft.waiting.every(({ command }) => isSameActor(holderOf(command.origin), holder))) return;
  const text = driveMessage('passed-on', { name: actorText(holder) });
  endWaiting(draft, 'CANCELLED', { code: 'PASSED_ON', text });
}

/**
 * Removes the command and the commands behind it, which would start from the wrong position. Returns the commands
 * that were behind it.
 */
function takeFollowers(draft: Draft, waiting: Waiting): readonly Waiting[] {
  const at = draft.waiting.indexOf(waiting);
  const followers = draft.waiting.slice(at + 1);
  draft.waiting = draft.waiting.slice(0, at);
  return followers;
}

function endWaiting(draft: Draft, state: Ended, reason: Reason): void {
  for (const { command } of draft.waiting) end(draft, command, state, reason);
  draft.waiting = [];
}

function end(draft: Draft, command: Accepted, state: Ended, reason: Reason): void {
  draft.effects.push({ type: 'end', command, state, reason });
}

function expire(draft: Draft, command: Accepted): void {
  const text = cartMessage('not-started', { time: span(command.order.ttlMs) });
  end(draft, command, 'EXPIRED', { code: 'EXPIRED', text });
}

function acknowledge(draft: Draft, { wireId }: In<'ack'>): void {
  if (draft.motion?.wireId !== wireId) return;
  if (draft.session?.acknowledges) advance(draft, 'ACKNOWLEDGED', 'acknowledged');
  else advance(draft, 'RUNNING', UNCONFIRMED);
}

function refuse(draft: Draft, { wireId, reason }: In<'nack'>): void {
  const { motion } = draft;
  if (motion?.wireId !== wireId) return;
  // The motion may have begun even though no acknowledgement arrived, so the cart is stopped.
  if (reason.code === 'SERIAL_ACK_TIMEOUT')
    return stopMotion(draft, { category: 2, reason, state: 'FAILED' });
  const code = reason.code === 'CONTROLLER_ESTOP_ACTIVE' ? 'ESTOP_ACTIVE' : reason.code;
  // The controller may reject a renewal while the cart moves, so the cart is stopped.
  if (motion.command.order.kind === 'jog')
    return stopMotion(draft, { category: 2, reason: { ...reason, code }, state: 'FAILED' });
  endWaiting(draft, 'CANCELLED', PREDECESSOR_FAILED);
  if (reason.code === 'CONTROLLER_EXPIRED') expire(draft, motion.command);
  else end(draft, motion.command, 'FAILED', { ...reason, code });
  releaseMotion(draft);
}

/** Applies the controller's report to the motion. A report with a different `wireId` is stale and is ignored. */
function followReport(draft: Draft, { report, reason }: In<'report'>): void {
  const { motion, session } = draft;
  if (motion?.wireId !== report.wireId) return;
  if (report.event === 'started') return started(draft);
  const { command, phase, released } = motion;
  const isOpen = phase === 'moving' || released;
  const result = resultOf(report, session);
  if (isEmergencyStop(report)) {
    // The report that the motion has ended precedes the status that reports the E-stop. Latching the E-stop ends all
    // commands.
    draft.effects.push({ type: 'measured', command, result }, { type: 'estop' });
    return;
  }
  if (report.event === 'finished' || (report.event === 'cancelled' && released)) {
    // If the command was stopped just before it finished, it has already ended.
    draft.effects.push({ type: isOpen ? 'finish' : 'measured', command, result });
  } else {
    if (report.event !== 'expired') draft.effects.push({ type: 'measured', command, result });
    if (isOpen) endReported(draft, command, report, reason);
  }
  releaseMotion(draft);
}

/** A latching stop has already ended the command, so only the distance is taken from the report. */
function measureDropped(draft: Draft, { report }: In<'report'>): void {
  const { dropped, session } = draft;
  if (dropped?.wireId !== report.wireId || report.event === 'started') return;
  draft.dropped = undefined;
  if (report.event === 'expired') return;
  draft.effects.push({ type: 'measured', command: dropped.command, result: resultOf(report, session) });
}

function resultOf({ finalMm, finalDdeg }: MotionReport, session: Draft['session']): CommandResult {
  return { distanceMm: finalMm, angleDeg: finalDdeg / 10, estimated: !session?.measures };
}

function started(draft: Draft): void {
  if (!draft.session?.acknowledges) return advance(draft, 'RUNNING', UNCONFIRMED);
  // The acknowledgement may have been lost or may not have been processed yet.
  advance(draft, 'ACKNOWLEDGED', 'acknowledged');
  advance(draft, 'RUNNING', 'the controller started the motion');
}

function endReported(draft: Draft, command: Accepted, report: MotionReport, known: Reason | undefined): void {
  if (report.event === 'expired') expire(draft, command);
  else {
    const { state, reason } = endOf(report, command);
    end(draft, command, state, known ?? reason);
  }
  if (draft.motion?.phase === 'moving') endWaiting(draft, 'CANCELLED', PREDECESSOR_FAILED);
}

/** Returns true if the motion ended because the controller's own emergency-stop input was triggered. */
function isEmergencyStop({ event, code }: MotionReport): boolean {
  return event === 'failed' && code === END_CODES.estop;
}

/**
 * Returns the final state and the reason for a motion that the controller has ended. The gateway uses the same
 * error codes for motions that it ends itself.
 */
function endOf({ event, code }: MotionReport, { order }: Accepted): { state: Ended; reason: Reason } {
  if (event === 'cancelled') {
    const stopped: Reason = { code: 'CONTROLLER_STOPPED', text: cartMessage('stopped-there') };
    const lease: Reason = {
      code: 'LEASE_ENDED',
      text: driveMessage('silent', { time: span(order.leaseMs ?? JOG_LEASE_MS) }),
    };
    return { state: 'CANCELLED', reason: code === END_CODES.lease ? lease : (CANCELLED[code] ?? stopped) };
  }
  // The code of a fault event is the number of a fault bit, not an end code.
  if (event === 'fault') return { state: 'FAILED', reason: FAULT };
  const unknown: Reason = { code: 'CONTROLLER_FAILED', text: cartMessage('failed-there', { event, code }) };
  return { state: 'FAILED', reason: FAILED[code] ?? unknown };
}

function releaseAtStandstill(draft: Draft, { telemetry }: In<'status'>): void {
  const { motion, nowMs } = draft;
  const { state, speedMmps, omegaDdegps, progressMm } = telemetry;
  if (!motion || state === 'RUNNING' || state === 'STOPPING' || speedMmps !== 0 || omegaDdegps !== 0) return;
  if (nowMs - motion.stoppedAtMs < STALE_STATUS_MS) return;
  const result = { distanceMm: progressMm, angleDeg: 0, estimated: true };
  if (motion.released) draft.effects.push({ type: 'finish', command: motion.command, result });
  releaseMotion(draft);
}
