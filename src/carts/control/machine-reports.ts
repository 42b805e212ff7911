import { span } from '../../shared/messages/messages.js';
import { type CommandResult, JOG_LEASE_MS, type Reason } from '../command/model.js';
import { cartFaultMessage } from '../faults/messages.js';
import { driveMessage } from '../manual-drive/messages.js';
import { cartMessage } from '../messages.js';
import { END_CODES } from '../serial/codec/event-reasons.js';
import type { MotionReport } from '../serial/driver.js';
import { serialMessage } from '../serial/messages.js';
import { advance, releaseMotion, stopMotion } from './machine-motion.js';
import { end, endWaiting, expire, PREDECESSOR_FAILED } from './machine-queue.js';
import type { Accepted, Draft, Ended, In } from './machine-types.js';

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

export function acknowledge(draft: Draft, { wireId }: In<'ack'>): void {
  if (draft.motion?.wireId !== wireId) return;
  if (draft.session?.acknowledges) advance(draft, 'ACKNOWLEDGED', 'acknowledged');
  else advance(draft, 'RUNNING', UNCONFIRMED);
}

export function refuse(draft: Draft, { wireId, reason }: In<'nack'>): void {
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

/** A report with a different `wireId` is stale and is ignored. */
export function followReport(draft: Draft, { report, reason }: In<'report'>): void {
  const { motion, session } = draft;
  if (motion?.wireId !== report.wireId) return;
  if (report.event === 'started') return started(draft);
  const { command, phase, released } = motion;
  const isOpen = phase === 'moving' || released;
  const result = resultOf(report, session);
  if (isEmergencyStop(report)) {
    // The report of the motion's end precedes the status that contains the emergency stop. Latching the
    // E-stop ends all commands.
    draft.effects.push({ type: 'measured', command, result }, { type: 'estop' });
    return;
  }
  if (report.event === 'finished' || (report.event === 'cancelled' && released)) {
    // A command that was stopped just before it finished has already ended.
    draft.effects.push({ type: isOpen ? 'finish' : 'measured', command, result });
  } else {
    if (report.event !== 'expired') draft.effects.push({ type: 'measured', command, result });
    if (isOpen) endReported(draft, command, report, reason);
  }
  releaseMotion(draft);
}

/** An E-stop has already ended the command, so only the distance is taken from the report. */
export function measureDropped(draft: Draft, { report }: In<'report'>): void {
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

/** True if the motion ended because the controller's own emergency-stop input was triggered. */
function isEmergencyStop({ event, code }: MotionReport): boolean {
  return event === 'failed' && code === END_CODES.estop;
}

/** The gateway uses the same error codes for motions that it ends itself. */
function endOf({ event, code }: MotionReport, { order }: Accepted): { state: Ended; reason: Reason } {
  if (event === 'cancelled') {
    const stopped: Reason = { code: 'CONTROLLER_STOPPED', text: cartMessage('stopped-there') };
    const lease: Reason = {
      code: 'LEASE_ENDED',
      text: driveMessage('silent', { time: span(order.leaseMs ?? JOG_LEASE_MS) }),
    };
    return { state: 'CANCELLED', reason: code === END_CODES.lease ? lease : (CANCELLED[code] ?? stopped) };
  }
  // The code of a fault event is the number of a fault bit.
  if (event === 'fault') return { state: 'FAILED', reason: FAULT };
  const unknown: Reason = { code: 'CONTROLLER_FAILED', text: cartMessage('failed-there', { event, code }) };
  return { state: 'FAILED', reason: FAILED[code] ?? unknown };
}

export function releaseAtStandstill(draft: Draft, { telemetry }: In<'status'>): void {
  const { motion, nowMs } = draft;
  const { state, speedMmps, omegaDdegps, progressMm } = telemetry;
  if (!motion || state === 'RUNNING' || state === 'STOPPING' || speedMmps !== 0 || omegaDdegps !== 0) return;
  if (nowMs - motion.stoppedAtMs < STALE_STATUS_MS) return;
  const result = { distanceMm: progressMm, angleDeg: 0, estimated: true };
  if (motion.released) draft.effects.push({ type: 'finish', command: motion.command, result });
  releaseMotion(draft);
}
