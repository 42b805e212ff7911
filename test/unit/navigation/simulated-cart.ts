import type { Marker, MarkerSighting, Pose } from '../../../src/navigation/markers/model.js';
import { signedDegrees } from '../../../src/shared/angles.js';
import { normalFrom } from '../../helpers/random.js';

const DEG = 180 / Math.PI;
const TRACK_MM = 400;
/** The slip of a wheel changes after this distance. */
const SLIP_STEP_MM = 100;

/** Standard deviations of a sighting: half of the 95th percentiles. */
export interface SightingNoise {
  rangeMm: number;
  rangeShare: number;
  bearingDeg: number;
  yawDeg: number;
}

export interface CameraView {
  halfAngleDeg: number;
  maxRangeMm: number;
  maxYawDeg: number;
}

/**
 * A cart whose wheels slip by 2 % on average: the wheels turn further than the cart moves. The slip of each
 * wheel varies by 1 % (standard deviation) between steps of 0.1 m.
 */
export class SimulatedCart {
  readonly pose: Pose;
  readonly odometer: Pose = { xMm: 0, yMm: 0, headingDeg: 0 };
  readonly #normal: () => number;
  readonly #slip: number;
  #sinceMm = [SLIP_STEP_MM, SLIP_STEP_MM];
  #slips = [0, 0];

  constructor(start: Pose, random: () => number, slip = 0.02) {
    this.pose = { ...start };
    this.#normal = normalFrom(random);
    this.#slip = slip;
  }

  /** Turns the wheels as needed to drive this distance and angle without slip. */
  move(distanceMm: number, angleDeg: number): void {
    const side = ((angleDeg / DEG) * TRACK_MM) / 2;
    const wheels = [distanceMm - side, distanceMm + side] as const;
    advance(this.odometer, wheels[0], wheels[1]);
    advance(this.pose, this.#onFloor(0, wheels[0]), this.#onFloor(1, wheels[1]));
  }

  #onFloor(wheel: 0 | 1, mm: number): number {
    this.#sinceMm[wheel] = (this.#sinceMm[wheel] ?? 0) + Math.abs(mm);
    if ((this.#sinceMm[wheel] ?? 0) >= SLIP_STEP_MM) {
      this.#sinceMm[wheel] = 0;
      this.#slips[wheel] = this.#slip * (1 + this.#normal() / 2);
    }
    return mm * (1 - (this.#slips[wheel] ?? 0));
  }
}

function advance(pose: Pose, leftMm: number, rightMm: number): void {
  const turnDeg = ((rightMm - leftMm) / TRACK_MM) * DEG;
  const middle = (pose.headingDeg + turnDeg / 2) / DEG;
  const mm = (leftMm + rightMm) / 2;
  pose.xMm += mm * Math.cos(middle);
  pose.yMm += mm * Math.sin(middle);
  pose.headingDeg = signedDegrees(pose.headingDeg + turnDeg);
}

/** Returns what an ideal camera measures, or undefined if the marker is not in the image. */
export function sightingOf(
  cart: Pose,
  mount: Pose,
  marker: Marker,
  view: CameraView,
): MarkerSighting | undefined {
  const heading = cart.headingDeg / DEG;
  const x = cart.xMm + mount.xMm * Math.cos(heading) - mount.yMm * Math.sin(heading);
  const y = cart.yMm + mount.xMm * Math.sin(heading) + mount.yMm * Math.cos(heading);
  const axisDeg = cart.headingDeg + mount.headingDeg;
  const [dx, dy] = [marker.xMm - x, marker.yMm - y];
  const rangeMm = Math.hypot(dx, dy);
  const bearingDeg = signedDegrees(Math.atan2(dy, dx) * DEG - axisDeg);
  const yawDeg = signedDegrees(marker.headingDeg - axisDeg - 180);
  const incidenceDeg = signedDegrees(yawDeg - bearingDeg);
  const isSeen =
    Math.abs(bearingDeg) < view.halfAngleDeg &&
    rangeMm < view.maxRangeMm &&
    Math.abs(incidenceDeg) < view.maxYawDeg;
  return isSeen ? { id: marker.id, rangeMm, bearingDeg, yawDeg } : undefined;
}

export function withNoise(
  { id, rangeMm, bearingDeg, yawDeg }: MarkerSighting,
  noise: SightingNoise,
  normal: () => number,
): MarkerSighting {
  return {
    id,
    rangeMm: rangeMm + (noise.rangeMm + noise.rangeShare * rangeMm) * normal(),
    bearingDeg: bearingDeg + noise.bearingDeg * normal(),
    yawDeg: yawDeg === null ? null : yawDeg + noise.yawDeg * normal(),
  };
}
