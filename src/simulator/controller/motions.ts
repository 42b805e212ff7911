import type { EndReason } from '../../carts/serial/codec/event-reasons.js';

/** What the LIMITS frame sets. */
export interface Limits {
  maxSpeedMmps: number;
  accelMmps2: number;
  decelMmps2: number;
  omegaMaxDdegps: number;
}

export interface Move {
  wireId: number;
  distanceMm: number;
  /** Turned first, in place; + = left. */
  angleDdeg: number;
  maxSpeedMmps: number;
  /** 0 = the controller's own bound. */
  maxDurationMs: number;
}

export interface Jog {
  wireId: number;
  speedMmps: number;
  omegaDdegps: number;
  leaseMs: number;
}

/** How a motion ended, and how far it came. */
export interface Ending {
  event: 'finished' | 'failed' | 'cancelled';
  reason: EndReason;
}

/** What the hardware can do; LIMITS may only ask for less. */
export const HARDWARE: Limits = {
  maxSpeedMmps: 1500,
  accelMmps2: 500,
  decelMmps2: 500,
  omegaMaxDdegps: 900,
};

/** What happened to a motion. `expired`: it waited for the cart to stand, for too long. */
export interface MotionNews {
  wireId: number;
  event: 'started' | Ending['event'] | 'expired';
  reason: EndReason;
}
