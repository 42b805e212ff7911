import { positiveDegrees, signedDegrees } from '../../shared/angles.js';
import type { LocalizationState, PlanEllipse, PlanPose } from '../../shared/ports/navigation/plan-pose.js';
import type { Marker, Pose, SightingReport } from '../markers/model.js';
import { type PlanarPose, planar, relative } from '../planar.js';
import { corrected, type Estimate, type PoseEstimate, predicted, scaled, withScale } from './estimate.js';
import { correctedByLandmark, withoutLandmark } from './landmarks.js';
import { markerMeasurement, poseFromMarker, type SeenMarker } from './marker-measurement.js';
import { MarkerTrust } from './marker-trust.js';
import { diagonal, type Matrix } from './matrix.js';
import { OdometryHistory } from './odometry-history.js';

const DEG = 180 / Math.PI;
const PROBABILITY = 0.95;
/**
 * Number of standard deviations that correspond to this probability, for an ellipse's radius and for a single
 * value.
 */
const RADIUS = 2.448;
const SINGLE = 1.96;

/** Maximum uncertainty (95 %) in the states GOOD and COARSE. */
interface StateLimits {
  goodPositionMm: number;
  goodHeadingDeg: number;
  coarsePositionMm: number;
  coarseHeadingDeg: number;
}

/** @param covariance of x, y and heading, in mm and radians. */
function ellipseOf(covariance: Matrix): PlanEllipse {
  const [xx, xy, yy] = [covariance[0]?.[0] ?? 0, covariance[0]?.[1] ?? 0, covariance[1]?.[1] ?? 0];
  const half = Math.hypot((xx - yy) / 2, xy);
  const middle = (xx + yy) / 2;
  return {
    semiMajorMm: RADIUS * Math.sqrt(middle + half),
    semiMinorMm: RADIUS * Math.sqrt(Math.max(0, middle - half)),
    angleDeg: positiveDegrees((Math.atan2(2 * xy, xx - yy) / 2) * DEG) % 180,
    probability: PROBABILITY,
  };
}

function stateOf(covariance: Matrix, limits: StateLimits): LocalizationState {
  const { semiMajorMm } = ellipseOf(covariance);
  const headingDeg = SINGLE * Math.sqrt(covariance[2]?.[2] ?? Infinity) * DEG;
  if (semiMajorMm <= limits.goodPositionMm && headingDeg <= limits.goodHeadingDeg) return 'GOOD';
  return semiMajorMm <= limits.coarsePositionMm && headingDeg <= limits.coarseHeadingDeg ? 'COARSE' : 'LOST';
}

/** Returns the covariance of a pose with the greatest uncertainty that is `GOOD`, with the heading in degrees. */
export function goodCovariance({
  goodPositionMm,
  goodHeadingDeg,
}: Pick<StateLimits, 'goodPositionMm' | 'goodHeadingDeg'>): Matrix {
  const [position, heading] = [(goodPositionMm / RADIUS) ** 2, (goodHeadingDeg / SINGLE) ** 2];
  return [
    [position, 0, 0],
    [0, position, 0],
    [0, 0, heading],
  ];
}

/** Returns the covariance of x, y and heading, with the heading in degrees. */
function inDegrees(covariance: Matrix): Matrix {
  const unit = (i: number): number => (i === 2 ? DEG : 1);
  return covariance.slice(0, 3).map((row, i) => row.slice(0, 3).map((value, j) => value * unit(i) * unit(j)));
}

/** A larger step between two odometer samples means that the odometer was reset or that samples are missing. */
const MAX_STEP_MM = 1000;
const MAX_GAP_MS = 10_000;
/** Standard deviations of a pose that an operator entered on the map. */
const PLACED = { mm: 200, rad: 0.1 };
/**
 * Minimum time between two beacon positions that are used, because the errors of consecutive positions are not
 * independent.
 */
const MIN_BEACON_MS = 1000;

export interface LocalizerRules {
  limits: StateLimits;
  /** Pose of the camera in the cart's frame: x forward, y left. */
  camera: Pose;
}

export interface BeaconFix {
  xMm: number;
  yMm: number;
  /** Covariance of x and y, in mm². */
  covariance: Matrix;
}

interface LocalizerDeps {
  rules: () => LocalizerRules;
  marker: (id: number) => Marker | undefined;
}

/**
 * Extended Kalman filter over a cart's position and heading on the plan. The odometry moves the pose; markers and
 * beacons correct it. Times are monotonic times in ms.
 */
export class Localizer {
  readonly #deps: LocalizerDeps;
  readonly #history = new OdometryHistory();
  readonly #trust = new MarkerTrust();
  #estimate: Estimate | undefined;
  #markersMs: number | undefined;
  #beaconsMs: number | undefined;

  constructor(deps: LocalizerDeps) {
    this.#deps = deps;
  }

  /** Markers that contradict the other markers and the odometry. */
  get suspicious(): number[] {
    return this.#trust.suspicious;
  }

  /** @param odometer pose relative to any fixed frame; must be called at least every 10 s. */
  addOdometry(odometer: Pose, atMs: number): void {
    const pose = planar(odometer);
    const { latest } = this.#history;
    if (latest) {
      const motion = relative(latest.pose, pose);
      const isInterrupted =
        Math.hypot(motion.x, motion.y) > MAX_STEP_MM || atMs - latest.atMs > MAX_GAP_MS || atMs < latest.atMs;
      if (isInterrupted) this.lose();
      else if (this.#estimate) this.#estimate = predicted(this.#estimate, motion);
    }
    this.#history.add({ atMs, pose });
  }

  addSightings({ capturedMs, sightings }: SightingReport): void {
    const motion = this.#history.motionSince(capturedMs);
    if (!motion) return;
    for (const sighting of sightings) {
      const marker = this.#deps.marker(sighting.id);
      if (marker)
        this.#addMarker({ marker, sighting, motion: scaled(motion, this.#estimate?.scale ?? 1) }, capturedMs);
    }
  }

  addBeaconFix({ xMm, yMm, covariance }: BeaconFix, atMs: number): void {
    if (!this.#estimate || atMs - (this.#beaconsMs ?? Number.NEGATIVE_INFINITY) < MIN_BEACON_MS) return;
    const { x, y } = this.#estimate.pose;
    const jacobian = [
      [1, 0],
      [0, 1],
    ];
    const after = corrected(this.#estimate, { innovation: [xMm - x, yMm - y], jacobian, noise: covariance });
    if (!after) return;
    this.#estimate = after;
    this.#beaconsMs = atMs;
  }

  /** Sets the pose that an operator entered. */
  place(pose: Pose): void {
    const { mm, rad } = PLACED;
    this.#estimate = this.#restarted({
      pose: planar(pose),
      covariance: diagonal([mm ** 2, mm ** 2, rad ** 2]),
    });
    this.#trust.forget();
  }

  /** Must be called when the cart may have moved without being measured by the odometer. */
  lose(): void {
    this.#estimate = undefined;
    this.#history.clear();
  }

  /** Must be called when a marker has been changed or deleted. */
  forgetMarker(id: number): void {
    this.#trust.forget(id);
    if (this.#estimate) this.#estimate = withoutLandmark(this.#estimate, id);
  }

  /** Returns undefined if no pose is known, not even an uncertain one. */
  pose(nowMs: number): PlanPose | undefined {
    if (!this.#estimate) return undefined;
    const { pose, covariance } = this.#estimate;
    const age = (atMs: number | undefined): number | null =>
      atMs === undefined ? null : Math.max(0, Math.round(nowMs - atMs));
    return {
      xMm: pose.x,
      yMm: pose.y,
      headingDeg: signedDegrees(pose.heading * DEG),
      covariance: inDegrees(covariance),
      ellipse: ellipseOf(covariance),
      state: stateOf(covariance, this.#deps.rules().limits),
      ageMs: {
        odometry: age(this.#history.latest?.atMs),
        markers: age(this.#markersMs),
        beacons: age(this.#beaconsMs),
      },
    };
  }

  #addMarker(seen: SeenMarker, atMs: number): void {
    const { id } = seen.marker;
    const { camera, limits } = this.#deps.rules();
    const mount = planar(camera);
    const known = this.#estimate;
    if (!known || stateOf(known.covariance, limits) === 'LOST') {
      const initial = this.#trust.isSuspicious(id) ? undefined : poseFromMarker(seen, mount);
      if (initial) this.#accept(this.#restarted(initial), id, atMs);
      return;
    }
    const after = corrected(known, markerMeasurement(known.pose, seen, mount));
    if (after && !this.#trust.isSuspicious(id)) this.#accept(after, id, atMs);
    else if (after || !this.#reject(seen, mount, atMs)) this.#follow(known, seen, mount);
  }

  /**
   * Corrects the estimate with a suspicious marker, which limits the drift of the odometry although its registered pose
   * is wrong.
   */
  #follow(known: Estimate, seen: SeenMarker, mount: PlanarPose): void {
    if (this.#trust.isSuspicious(seen.marker.id)) this.#estimate = correctedByLandmark(known, seen, mount);
  }

  /** Returns a new estimate with this pose. The scale is kept, because it does not depend on the pose. */
  #restarted(pose: PoseEstimate): Estimate {
    return withScale(pose, this.#estimate?.scale, this.#estimate?.covariance[3]?.[3]);
  }

  #accept(estimate: Estimate, id: number, atMs: number): void {
    this.#estimate = estimate;
    this.#markersMs = atMs;
    this.#trust.accept(id, atMs);
  }

  /** Returns true if the pose, not the marker, is wrong; the pose is then replaced. */
  #reject(seen: SeenMarker, mount: PlanarPose, atMs: number): boolean {
    const odometer = this.#history.latest?.pose;
    if (!odometer) return false;
    const estimate = poseFromMarker(seen, mount);
    const agreed = this.#trust.reject({ id: seen.marker.id, atMs, estimate, odometer });
    if (!agreed) return false;
    this.#estimate = this.#restarted(agreed);
    this.#markersMs = atMs;
    // Earlier rejections of markers are discarded, because they were based on a wrong pose.
    this.#trust.forget();
    return true;
  }
}
