import type { EndReason } from '../../carts/index.js';

export interface Limits {
  maxSpeedMmps: number;
  accelMmps2: number;
  decelMmps2: number;
  omegaMaxDdegps: number;
}

export interface Move {
  wireId: number;
  distanceMm: number;
  /** Angle of the turn in place before the drive, in tenths of a degree; positive is left. */
  angleDdeg: number;
  maxSpeedMmps: number;
  /** 0 means that the controller's limit applies. */
  maxDurationMs: number;
}

export interface Jog {
  wireId: number;
  speedMmps: number;
  omegaDdegps: number;
  leaseMs: number;
}

export interface SimulatedEnd {
  event: 'finished' | 'failed' | 'cancelled';
  reason: EndReason;
}

/** A LIMITS frame can lower these limits but not raise them. */
export const HARDWARE: Limits = {
  maxSpeedMmps: 1500,
  accelMmps2: 500,
  decelMmps2: 500,
  omegaMaxDdegps: 900,
};

/**
 * Returns the angular acceleration and deceleration, with which a turn reaches the configured maximum turning speed
 * in 0.5 s (`turnRate` in the reference firmware). LIMITS frames do not change this value, so that a cart whose
 * speed has been limited stops as quickly as any other cart.
 */
export function turnRateDdegps2({ omegaMaxDdegps }: Limits): number {
  return 2 * omegaMaxDdegps;
}

/** `expired`: the motion's time to live elapsed while the cart was still stopping. */
export interface MotionEvent {
  wireId: number;
  event: 'started' | SimulatedEnd['event'] | 'expired';
  reason: EndReason;
}
