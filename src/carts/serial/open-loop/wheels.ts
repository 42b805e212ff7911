import type { AxisLimits } from '../../../shared/motion-profile.js';
import type { LimitsSettings } from '../../control/settings-schema.js';
import { FULL_STEPS } from '../codec/mixed-mode.js';
import type { KinematicsSettings } from '../settings-schema.js';

const DDEG_PER_RAD = 1800 / Math.PI;
/** How fast a cart turns in place when nothing measures it: what `plannedMs` reckons with. */
const TURN_DDEGPS = 450;

type Ramps = Pick<LimitsSettings, 'accelMmps2' | 'decelMmps2'>;

/** Speeds of the cart: mm/s ahead, and tenths of a degree a second to the left. */
export interface Speeds {
  mmps: number;
  ddegps: number;
}

/** The same in steps of −127 to 127 of full power. */
export interface Steps {
  ahead: number;
  left: number;
}

/** What full power makes of two wheels side by side; what is between is taken as proportional. */
export class Wheels {
  readonly #fullMmps: number;
  /** Of a turn in place at full power. */
  readonly #fullDdegps: number;
  readonly #limits: Ramps;

  constructor({ trackMm, openLoopMmpsAtFull }: KinematicsSettings, limits: Ramps) {
    this.#fullMmps = openLoopMmpsAtFull;
    this.#fullDdegps = (openLoopMmpsAtFull / (trackMm / 2)) * DDEG_PER_RAD;
    this.#limits = limits;
  }

  get fullMmps(): number {
    return this.#fullMmps;
  }

  /** The nearest steps to what is wanted. */
  steps({ mmps, ddegps }: Speeds): Steps {
    return { ahead: nearest(mmps / this.#fullMmps), left: nearest(ddegps / this.#fullDdegps) };
  }

  /** What steps make of the cart. */
  speeds({ ahead, left }: Steps): Speeds {
    return {
      mmps: (ahead / FULL_STEPS) * this.#fullMmps,
      ddegps: (left / FULL_STEPS) * this.#fullDdegps,
    };
  }

  /** The same direction, no faster than one wheel can turn: the outer one has to make both speeds. */
  within({ mmps, ddegps }: Speeds): Speeds {
    const share = Math.abs(mmps) / this.#fullMmps + Math.abs(ddegps) / this.#fullDdegps;
    const factor = 1 / Math.max(1, share);
    return { mmps: mmps * factor, ddegps: ddegps * factor };
  }

  /** Straight ahead, in mm. */
  run(maxSpeedMmps: number): AxisLimits {
    const { accelMmps2, decelMmps2 } = this.#limits;
    return { max: Math.min(maxSpeedMmps, this.#fullMmps), accel: accelMmps2, decel: decelMmps2 };
  }

  /** In place, in tenths of a degree: the wheels speed up and slow down as they do straight ahead. */
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

function nearest(share: number): number {
  const steps = Math.round(share * FULL_STEPS);
  // `+ 0` turns -0 into 0.
  return Math.max(-FULL_STEPS, Math.min(FULL_STEPS, steps)) + 0;
}
