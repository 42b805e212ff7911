import type { EndReason } from '../../carts/serial/codec/event-reasons.js';

/** Contents of a LIMITS frame. */
export interface Limits {
  maxSpeedMmps: number;
  accelMmps2: number;
  decelMmps2: number;
  omegaMaxDdegps: number;
}

export interface Move {
  wireId: number;
  distanceMm: number;
  /** Turn in place before driving; + = left. */
  angleDdeg: number;
  maxSpeedMmps: number;
  /** 0 = the controller's own limit. */
  maxDurationMs: number;
}

export interface Jog {
  wireId: number;
  speedMmps: number;
  omegaDdegps: number;
  leaseMs: number;
}

export interface MotionEnd {
  event: 'finished' | 'failed' | 'cancelled';
  reason: EndReason;
}

/** Hardware limits, which a LIMITS frame can only lower. */
export const HARDWARE: Limits = {
  maxSpeedMmps: 1500,
  accelMmps2: 500,
  decelMmps2: 500,
  omegaMaxDdegps: 900,
};

/** `expired`: the time to live ended while the motion waited for standstill. */
export interface MotionEvent {
  wireId: number;
  event: 'started' | MotionEnd['event'] | 'expired';
  reason: EndReason;
}
