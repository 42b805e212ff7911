import { GatewayError } from '../../../shared/errors.js';
import { span } from '../../../shared/messages/messages.js';
import { type AxisLimits, trapezoid } from '../../../shared/motion-profile.js';
import type { MoveRequest } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { Wheels } from './wheels.js';

export interface Travel {
  mm: number;
  ddeg: number;
}

/** A turn in place precedes a straight drive. */
export interface MotionPlan {
  goal: Travel;
  maxSpeedMmps: number;
}

/** Throws CONTROLLER_RANGE if a limit is exceeded, or if the board cannot drive slowly enough. */
export function planMotion(
  { distanceMm, angleDdeg, maxSpeedMmps, maxDurationMs }: MoveRequest,
  wheels: Wheels,
): MotionPlan {
  const { fullMmps, slowest } = wheels;
  if (maxSpeedMmps > fullMmps) {
    const text = serialMessage('too-slow', { full: fullMmps, requested: maxSpeedMmps });
    const hint = serialMessage('too-slow-hint');
    const details = { field: 'maxSpeed', limit: fullMmps, unit: 'mm/s', hint };
    throw new GatewayError('CONTROLLER_RANGE', text, details);
  }
  const run = wheels.run(maxSpeedMmps);
  if (distanceMm !== 0 && run.max < slowest.mmps) {
    const slowestMmps = Math.ceil(slowest.mmps);
    const text = serialMessage('too-fast', { slowest: slowestMmps, requested: run.max });
    throw new GatewayError('CONTROLLER_RANGE', text, { field: 'maxSpeed', limit: slowestMmps, unit: 'mm/s' });
  }
  const turn = wheels.turn();
  if (angleDdeg !== 0 && turn.max < slowest.ddegps) {
    const text = serialMessage('turn-too-fast', { slowest: Math.ceil(slowest.ddegps / 10) });
    throw new GatewayError('CONTROLLER_RANGE', text, { field: 'angleID' });
  }
  const durationMs =
    trapezoid(angleDdeg, inSteps(turn, slowest.ddegps)).durationMs +
    trapezoid(distanceMm, inSteps(run, slowest.mmps)).durationMs;
  if (durationMs > maxDurationMs) {
    const text = serialMessage('too-long', { time: span(durationMs), limit: span(maxDurationMs) });
    throw new GatewayError('CONTROLLER_RANGE', text, { limit: maxDurationMs, unit: 'ms' });
  }
  return { goal: { mm: distanceMm, ddeg: angleDdeg }, maxSpeedMmps };
}

/** Reduces the limit to the highest speed that the board can drive within it. */
function inSteps(limits: AxisLimits, slowest: number): AxisLimits {
  return { ...limits, max: Math.max(1, Math.floor(limits.max / slowest)) * slowest };
}
