import { cartMessage } from '../messages.js';
import type { MotionReport } from '../serial/driver.js';
import { advance, release, stopMotion } from './machine-motion.js';
import { end, endWaiting, expire, PREDECESSOR_FAILED } from './machine-queue.js';
import type { Accepted, Draft, In } from './machine-types.js';

/**
 * A status received within this time after a stop may have been sent before the controller received the stop.
 */
const STALE_STATUS_MS = 100;
const UNCONFIRMED = 'unconfirmed: this controller does not acknowledge commands';

export function acknowledge(draft: Draft, { wireId }: In<'ack'>): void {
  if (draft.motion?.wireId !== wireId) return;
  if (draft.session?.acknowledges) advance(draft, 'ACKNOWLEDGED', 'acknowledged');
  else advance(draft, 'RUNNING', UNCONFIRMED);
}

export function refuse(draft: Draft, { wireId, reason }: In<'nack'>): void {
  const { motion } = draft;
  if (motion?.wireId !== wireId) return;
  // The acknowledgement may have been lost after the motion began, so the cart is stopped.
  if (reason.code === 'SERIAL_ACK_TIMEOUT')
    return stopMotion(draft, { category: 2, reason, state: 'FAILED' });
  endWaiting(draft, 'CANCELLED', PREDECESSOR_FAILED);
  if (reason.code === 'CONTROLLER_EXPIRED') expire(draft, motion.command);
  else {
    const code = reason.code === 'CONTROLLER_ESTOP_ACTIVE' ? 'ESTOP_ACTIVE' : reason.code;
    end(draft, motion.command, 'FAILED', { ...reason, code });
  }
  release(draft);
}

/** A report with a different wireId is stale and is ignored. */
export function followReport(draft: Draft, { report }: In<'report'>): void {
  const { motion, session } = draft;
  if (motion?.wireId !== report.wireId) return;
  if (report.event === 'started') return started(draft);
  const { command, phase, released } = motion;
  const isOpen = phase === 'moving' || released;
  const { finalMm, finalDdeg } = report;
  const result = { distanceMm: finalMm, angleDeg: finalDdeg / 10, estimated: !session?.measures };
  if (report.event === 'finished' || (report.event === 'cancelled' && released)) {
    if (isOpen) draft.effects.push({ type: 'finish', command, result });
  } else {
    if (report.event !== 'expired') draft.effects.push({ type: 'measured', command, result });
    if (isOpen) endReported(draft, command, report);
  }
  release(draft);
}

function started(draft: Draft): void {
  if (!draft.session?.acknowledges) return advance(draft, 'RUNNING', UNCONFIRMED);
  // The acknowledgement may have been lost or not yet processed.
  advance(draft, 'ACKNOWLEDGED', 'acknowledged');
  advance(draft, 'RUNNING', 'the controller started the motion');
}

function endReported(draft: Draft, command: Accepted, { event, code }: MotionReport): void {
  if (event === 'expired') expire(draft, command);
  else if (event === 'cancelled') {
    end(draft, command, 'CANCELLED', { code: 'STOPPED', text: cartMessage('stopped-there') });
  } else {
    const text = cartMessage('failed-there', { event, code });
    end(draft, command, 'FAILED', { code: 'CONTROLLER_FAILED', text });
  }
  if (draft.motion?.phase === 'moving') endWaiting(draft, 'CANCELLED', PREDECESSOR_FAILED);
}

export function releaseAtStandstill(draft: Draft, { telemetry }: In<'status'>): void {
  const { motion, nowMs } = draft;
  const { state, speedMmps, omegaDdegps, progressMm } = telemetry;
  if (!motion || state === 'RUNNING' || state === 'STOPPING' || speedMmps !== 0 || omegaDdegps !== 0) return;
  if (nowMs - motion.stoppedAtMs < STALE_STATUS_MS) return;
  const result = { distanceMm: progressMm, angleDeg: 0, estimated: true };
  if (motion.released) draft.effects.push({ type: 'finish', command: motion.command, result });
  release(draft);
}
