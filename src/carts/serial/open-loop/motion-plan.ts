import { GatewayError } from '../../../shared/errors.js';
import { span } from '../../../shared/messages/messages.js';
import { trapezoid } from '../../../shared/motion-profile.js';
import type { MoveRequest } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { Wheels } from './wheels.js';

/** Distance and angle covered by a motion. */
export interface Travel {
  mm: number;
  ddeg: number;
}

/** A motion as a function of time. */
export interface MotionPlan {
  durationMs: number;
  at(ms: number): Travel;
}

/**
 * Plans a move: turn in place, then drive, each from standstill to standstill. Throws CONTROLLER_RANGE if the move
 * exceeds the speed of the cart or the maximum duration.
 */
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
