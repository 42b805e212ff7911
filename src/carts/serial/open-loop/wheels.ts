import type { AxisLimits } from '../../../shared/motion-profile.js';
import type { LimitsSettings } from '../../control/settings-schema.js';
import { FULL_STEPS } from '../codec/mixed-mode.js';
import type { KinematicsSettings } from '../settings-schema.js';

const DDEG_PER_RAD = 1800 / Math.PI;
/** Must equal the turn speed that `plannedMs` assumes. */
const TURN_DDEGPS = 450;

type Limits = Pick<LimitsSettings, 'maxSpeedMmps' | 'accelMmps2' | 'decelMmps2'>;
/** Prevents a speed that equals a step from being rounded to the step below. */
export const ROUNDING = 1e-9;

/** `mmps` is the forward speed in mm/s; `ddegps` is the turn speed to the left in 0.1 degree/s. */
export interface Speeds {
  mmps: number;
  ddegps: number;
}

/** Speed steps from −127 to 127 (full power). */
export interface Steps {
  ahead: number;
  left: number;
}

/** Kinematics of a differential drive. Assumes that speed is proportional to power. */
export class Wheels {
  readonly #fullMmps: number;
  readonly #fullDdegps: number;
  readonly #limits: Limits;

  constructor({ trackMm, openLoopMmpsAtFull }: KinematicsSettings, limits: Limits) {
    this.#fullMmps = openLoopMmpsAtFull;
    this.#fullDdegps = (openLoopMmpsAtFull / (trackMm / 2)) * DDEG_PER_RAD;
    this.#limits = limits;
  }

  get fullMmps(): number {
    return this.#fullMmps;
  }

  /** The speeds of a single step, which are the lowest speeds that the board can drive. */
  get slowest(): Speeds {
    return this.speeds({ ahead: 1, left: 1 });
  }

  /** Rounds towards zero, so that no speed exceeds the requested one. */
  steps({ mmps, ddegps }: Speeds): Steps {
    return { ahead: stepsOf(mmps / this.#fullMmps), left: stepsOf(ddegps / this.#fullDdegps) };
  }

  speeds({ ahead, left }: Steps): Speeds {
    return {
      mmps: (ahead / FULL_STEPS) * this.#fullMmps,
      ddegps: (left / FULL_STEPS) * this.#fullDdegps,
    };
  }

  /**
   * Scales both speeds so that the outer wheel, whose speed is their sum, does not exceed full power, and the
   * forward speed does not exceed the limit.
   */
  within({ mmps, ddegps }: Speeds): Speeds {
    const share = Math.abs(mmps) / this.#fullMmps + Math.abs(ddegps) / this.#fullDdegps;
    const factor = 1 / Math.max(1, share, Math.abs(mmps) / this.#limits.maxSpeedMmps);
    return { mmps: mmps * factor, ddegps: ddegps * factor };
  }

  /** Limits for straight motion, in mm/s and mm/s². */
  run(maxSpeedMmps: number): AxisLimits {
    const { accelMmps2, decelMmps2, maxSpeedMmps: limit } = this.#limits;
    return { max: Math.min(maxSpeedMmps, limit, this.#fullMmps), accel: accelMmps2, decel: decelMmps2 };
  }

  /** Limits for turns, in 0.1 degree/s and 0.1 degree/s²; the wheels accelerate as in a straight drive. */
  turn(): AxisLimits {
    const { accelMmps2, decelMmps2 } = this.#limits;
    const perMm = this.#fullDdegps / this.#fullMmps;
    return {
      max: Math.min(TURN_DDEGPS, this.#fullDdegps),
      accel: accelMmps2 * perMm,
      decel: decelMmps2 * perMm,
    };
  }
}

function stepsOf(share: number): number {
  const steps = Math.trunc(share * FULL_STEPS + Math.sign(share) * ROUNDING);
  // `+ 0` converts -0 to 0.
  return Math.max(-FULL_STEPS, Math.min(FULL_STEPS, steps)) + 0;
}
