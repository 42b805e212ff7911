import { GatewayError } from '../../../shared/errors.js';
import { span } from '../../../shared/messages/messages.js';
import { trapezoid } from '../../../shared/motion-profile.js';
import type { MoveRequest } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { Wheels } from './wheels.js';

export interface Travel {
  mm: number;
  ddeg: number;
}

export interface MotionPlan {
  durationMs: number;
  at(ms: number): Travel;
}

/** A turn in place precedes a straight drive. Throws CONTROLLER_RANGE if a limit is exceeded. */
export function planMotion(
  { distanceMm, angleDdeg, maxSpeedMmps, maxDurationMs }: MoveRequest,
  wheels: Wheels,
): MotionPlan {
  const { fullMmps } = wheels;
  if (maxSpeedMmps > fullMmps) {
    const text = serialMessage('too-slow', { full: fullMmps, requested: maxSpeedMmps });
    const hint = serialMessage('too-slow-hint');
    const details = { field: 'maxSpeed', limit: fullMmps, unit: 'mm/s', hint };
    throw new GatewayError('CONTROLLER_RANGE', text, details);
  }
  const turn = trapezoid(angleDdeg, wheels.turn());
  const run = trapezoid(distanceMm, wheels.run(maxSpeedMmps));
  const durationMs = turn.durationMs + run.durationMs;
  if (durationMs > maxDurationMs) {
    const text = serialMessage('too-long', { time: span(durationMs), limit: span(maxDurationMs) });
    throw new GatewayError('CONTROLLER_RANGE', text, { limit: maxDurationMs, unit: 'ms' });
  }
  return { durationMs, at: (ms) => ({ mm: run.at(ms - turn.durationMs), ddeg: turn.at(ms) }) };
}
