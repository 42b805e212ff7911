import { positiveDegrees, signedDegrees } from '../../shared/angles.js';
import { type MapPose, movedBy } from './drive-target.js';

/** Pose from wheel travel, relative to the pose at power-on: x forward, y left, heading counterclockwise. */
export interface OdometerPose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

export interface CartSample {
  /** Monotonic time in ms. */
  atMs: number;
  /** Undefined if the cart reports no wheel travel. */
  odometer: OdometerPose | undefined;
  /** Changes when the gateway restarts or reconnects, because wheel travel may have been missed. */
  session: string;
  isStopped: boolean;
  /** Age of the data in ms; null if there is no data. */
  ageMs: number | null;
}

/** Why the position is no longer known. */
export type PlacementEnd = 'reconnected' | 'stopped' | 'silent' | 'jumped' | 'travelled';

/**
 * Maximum time between two samples, and maximum age of their data. During a longer gap, the cart may have
 * stopped and been moved by people.
 */
const MAX_GAP_MS = 10_000;
/** A distance greater than a cart can travel between two messages. */
const MAX_JUMP_MM = 1000;
/** Maximum distance since the placement; over this distance, wheel slip of 2 % causes an error of 0.4 m. */
const MAX_TRAVEL_MM = 20_000;
/** Maximum angle turned since the placement; over this angle, wheel slip of 1 % causes an error of 7 degrees. */
const MAX_TURN_DEG = 720;

/**
 * A cart that an operator placed on the map. The position follows the odometry until someone may have moved
 * the cart, or until the odometry has drifted too far.
 */
export class PlacedCart {
  readonly #at: MapPose;
  readonly #start: OdometerPose;
  readonly #session: string;
  #lastMs: number;
  #last: OdometerPose;
  #travelMm = 0;
  #turnDeg = 0;
  #end: PlacementEnd | undefined;

  constructor(at: MapPose, odometer: OdometerPose, { session, atMs }: Pick<CartSample, 'session' | 'atMs'>) {
    this.#at = at;
    this.#start = odometer;
    this.#last = odometer;
    this.#session = session;
    this.#lastMs = atMs;
  }

  /** Why the position is no longer known; undefined while it is known. */
  get end(): PlacementEnd | undefined {
    return this.#end;
  }

  get pose(): MapPose {
    const [dx, dy] = [this.#last.xMm - this.#start.xMm, this.#last.yMm - this.#start.yMm];
    const direction = (Math.atan2(dy, dx) * 180) / Math.PI;
    const bearing = this.#at.bearingDeg - (direction - this.#start.headingDeg);
    const turned = this.#at.bearingDeg - (this.#last.headingDeg - this.#start.headingDeg);
    const place = movedBy(this.#at, Math.hypot(dx, dy) / 1000, bearing);
    return { ...place, bearingDeg: positiveDegrees(turned) };
  }

  update({ atMs, odometer, session, isStopped, ageMs }: CartSample): void {
    const gapMs = Math.max(atMs - this.#lastMs, ageMs ?? Number.POSITIVE_INFINITY);
    this.#lastMs = atMs;
    if (session !== this.#session || !odometer) this.#end ??= 'reconnected';
    else if (isStopped) this.#end ??= 'stopped';
    else if (gapMs > MAX_GAP_MS) this.#end ??= 'silent';
    if (this.#end || !odometer) return;
    const stepMm = Math.hypot(odometer.xMm - this.#last.xMm, odometer.yMm - this.#last.yMm);
    this.#travelMm += stepMm;
    this.#turnDeg += Math.abs(signedDegrees(odometer.headingDeg - this.#last.headingDeg));
    this.#last = odometer;
    if (stepMm > MAX_JUMP_MM) this.#end = 'jumped';
    else if (this.#travelMm > MAX_TRAVEL_MM || this.#turnDeg > MAX_TURN_DEG) this.#end = 'travelled';
  }
}

/** Smaller changes are not motion: a stationary cart's wheel counters can alternate between two values. */
const STILL = { mm: 5, deg: 0.5 };

export function hasCartMoved(before: OdometerPose, now: OdometerPose): boolean {
  const mm = Math.hypot(now.xMm - before.xMm, now.yMm - before.yMm);
  return mm > STILL.mm || Math.abs(signedDegrees(now.headingDeg - before.headingDeg)) > STILL.deg;
}
