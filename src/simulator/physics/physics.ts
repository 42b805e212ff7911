/** These constants approximate a 24 V lead-acid battery and two geared motors, for plausible telemetry. */
const EMPTY_MV = 23_600;
const FULL_EXTRA_MV = 2400;
const INNER_OHM = 0.05;
const CAPACITY_AH = 20;
const STANDBY_A = 0.3;
const ENABLED_A = 0.5;
const AMPS_PER_MMPS = 0.008;
const STALL_A = 24;
const CHARGE_A = -4;
/** A stationary cart with less charge than this recharges its battery completely. */
const LOW_CHARGE = 0.2;
const HEAT_C_PER_A2 = 1.1;
const MOTOR_TAU_S = 60;
const BOARD_TAU_S = 30;

export interface PhysicsOptions {
  trackMm: number;
  xMm: number;
  yMm: number;
  /** Heading in degrees: 0 is along the x axis; positive is left. */
  headingDeg: number;
  /** State of charge in percent, 0…100. */
  socPercent: number;
  ambientC: number;
}

const DEFAULT_PHYSICS: PhysicsOptions = {
  trackMm: 400,
  xMm: 0,
  yMm: 0,
  headingDeg: 0,
  socPercent: 90,
  ambientC: 22,
};

interface Load {
  enabled: boolean;
  speedMmps: number;
  omegaRadps: number;
  stalled: boolean;
}

/** The physical cart: pose, odometry, battery and temperatures. */
export class Chassis {
  readonly trackMm: number;
  xMm: number;
  yMm: number;
  headingRad: number;
  /** Battery current; negative while charging. */
  amps = STANDBY_A;
  boardC: number;
  readonly motorC: [number, number];
  odoLeftMm = 0;
  odoRightMm = 0;
  /** Share of the wheels' travel that does not move the cart. */
  slip = 0;
  #charge: number;
  #charging = false;
  #ambientC: number;

  constructor(options: Partial<PhysicsOptions> = {}) {
    const { trackMm, xMm, yMm, headingDeg, socPercent, ambientC } = { ...DEFAULT_PHYSICS, ...options };
    this.trackMm = trackMm;
    this.xMm = xMm;
    this.yMm = yMm;
    this.headingRad = (headingDeg * Math.PI) / 180;
    this.#charge = socPercent / 100;
    this.#ambientC = ambientC;
    this.boardC = ambientC;
    this.motorC = [ambientC, ambientC];
  }

  drive(distanceMm: number, turnRad: number): void {
    const grip = 1 - this.slip;
    const middle = this.headingRad + (grip * turnRad) / 2;
    this.xMm += grip * distanceMm * Math.cos(middle);
    this.yMm += grip * distanceMm * Math.sin(middle);
    this.headingRad += grip * turnRad;
    this.odoLeftMm += distanceMm - (turnRad * this.trackMm) / 2;
    this.odoRightMm += distanceMm + (turnRad * this.trackMm) / 2;
  }

  /** Exact for any duration, so that a stationary cart needs no small time steps. */
  elapse(dtS: number, load: Load): void {
    const [left, right] = this.#motorAmps(load);
    const isIdle = left + right === 0;
    if (!isIdle || this.#charge >= 1) this.#charging = false;
    else if (this.#charge < LOW_CHARGE) this.#charging = true;
    this.amps = STANDBY_A + (load.enabled ? ENABLED_A : 0) + left + right + (this.#charging ? CHARGE_A : 0);
    this.#charge = Math.max(0, Math.min(1, this.#charge - (this.amps * dtS) / 3600 / CAPACITY_AH));
    this.motorC[0] = this.#warm(this.motorC[0], left * left * HEAT_C_PER_A2, dtS, MOTOR_TAU_S);
    this.motorC[1] = this.#warm(this.motorC[1], right * right * HEAT_C_PER_A2, dtS, MOTOR_TAU_S);
    this.boardC = this.#warm(this.boardC, 6 + 0.5 * Math.max(0, this.amps), dtS, BOARD_TAU_S);
  }

  get batteryMv(): number {
    return Math.round(EMPTY_MV + FULL_EXTRA_MV * this.#charge - this.amps * INNER_OHM * 1000);
  }

  get socPercent(): number {
    return Math.round(this.#charge * 100);
  }

  /** Heading in degrees in the range (-180, 180]; positive is left of the x axis. */
  get headingDeg(): number {
    const degrees = (this.headingRad * 180) / Math.PI;
    return degrees - 360 * Math.ceil((degrees - 180) / 360);
  }

  #motorAmps({ enabled, speedMmps, omegaRadps, stalled }: Load): [left: number, right: number] {
    if (!enabled) return [0, 0];
    if (stalled) return [STALL_A / 2, STALL_A / 2];
    const sideMmps = (omegaRadps * this.trackMm) / 2;
    const amps = (mmps: number) => (Math.abs(mmps) * AMPS_PER_MMPS) / 2;
    return [amps(speedMmps - sideMmps), amps(speedMmps + sideMmps)];
  }

  #warm(nowC: number, riseC: number, dtS: number, tauS: number): number {
    const goal = this.#ambientC + riseC;
    return goal + (nowC - goal) * Math.exp(-dtS / tauS);
  }
}

/** Returns a deterministic random generator for [0, 1) from a 32-bit seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
