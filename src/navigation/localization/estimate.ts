import { composed, normalised, type PlanarPose } from '../planar.js';
import {
  add,
  column,
  diagonal,
  inverse,
  type Matrix,
  multiply,
  sandwich,
  subtract,
  transpose,
} from './matrix.js';

/** A pose with the covariance of x, y and heading, in mm and radians. */
export interface PoseEstimate {
  pose: PlanarPose;
  covariance: Matrix;
}

/** A marker whose pose is estimated, because it is not where it is registered. */
export interface Landmark {
  id: number;
  pose: PlanarPose;
  /** Number of sightings in a row that contradicted the estimate. */
  misses: number;
}

export interface Estimate extends PoseEstimate {
  /** The ratio of real motion to odometry; slip and inaccurate wheel diameters make it differ from 1. */
  scale: number;
  landmarks: readonly Landmark[];
  /** The covariance of x, y, heading and scale, and of x, y and heading of each landmark. */
  covariance: Matrix;
}

/** Returns the column of a landmark's x in the covariance; each landmark has three columns. */
export function landmarkColumn(index: number): number {
  return 4 + 3 * index;
}

export interface Measurement {
  /** Measured minus expected values. */
  innovation: readonly number[];
  /** Derivatives of the expected values with respect to the estimated values; missing columns are zero. */
  jacobian: Matrix;
  noise: Matrix;
}

/** 99 % quantiles of the chi-square distribution by degrees of freedom. */
const CHI_SQUARE_99: Readonly<Record<number, number>> = { 1: 6.635, 2: 9.21, 3: 11.345 };

/**
 * Variances added by a motion. A slip of 2 % per wheel that is independent in each step of 0.1 m turns a cart with a
 * track width of 0.4 m by 1.3 degrees over 1 m.
 */
const NOISE = {
  /** mm² per mm: a standard deviation of 7 mm after 1 m. */
  forward: 0.05,
  sideways: 0.02,
  /** rad² per mm. */
  headingPerMm: 2e-7,
  /** rad² per rad: a standard deviation of 0.6 degrees after 60 degrees. */
  headingPerRad: 1e-4,
  /** The scale changes by about 1 % in 100 m. */
  scalePerMm: 1e-9,
};

/** The initial scale of an odometer is 1 with a standard deviation of 3 %. */
const SCALE_VARIANCE = 9e-4;

/** Returns the covariance of a motion, in the frame of the pose before the motion. */
export function motionNoise(motion: PlanarPose): Matrix {
  const mm = Math.hypot(motion.x, motion.y);
  const heading = NOISE.headingPerMm * mm + NOISE.headingPerRad * Math.abs(motion.heading);
  return diagonal([NOISE.forward * mm, NOISE.sideways * mm, heading]);
}

/** Derivatives of `composed(pose, motion)` with respect to `pose`. */
export function motionJacobian(pose: PlanarPose, motion: PlanarPose): Matrix {
  const [cos, sin] = [Math.cos(pose.heading), Math.sin(pose.heading)];
  return [
    [1, 0, -motion.x * sin - motion.y * cos],
    [0, 1, motion.x * cos - motion.y * sin],
    [0, 0, 1],
  ];
}

/** Derivatives of `composed(pose, motion)` with respect to `motion`. */
export function rotation(heading: number): Matrix {
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
  return [
    [cos, -sin, 0],
    [sin, cos, 0],
    [0, 0, 1],
  ];
}

/** Adds an unknown scale to a pose. */
export function withScale(
  { pose, covariance }: PoseEstimate,
  scale = 1,
  variance = SCALE_VARIANCE,
): Estimate {
  const rows = covariance.map((row) => [...row, 0]);
  return { pose, scale, landmarks: [], covariance: [...rows, [0, 0, 0, variance]] };
}

/** Applies a motion, given in the pose's frame, to a pose. */
export function moved({ pose, covariance }: PoseEstimate, motion: PlanarPose): PoseEstimate {
  const noise = sandwich(rotation(pose.heading), motionNoise(motion));
  return {
    pose: composed(pose, motion),
    covariance: add(sandwich(motionJacobian(pose, motion), covariance), noise),
  };
}

/** Applies an odometry motion, given in the pose's frame, to an estimate. */
export function predicted(estimate: Estimate, odometry: PlanarPose): Estimate {
  const { pose, scale, covariance } = estimate;
  const motion = scaled(odometry, scale);
  const turned = rotation(pose.heading);
  const byScale = multiply(turned, column([odometry.x, odometry.y, odometry.heading]));
  const ofCart = motionJacobian(pose, motion).map((row, i) => [...row, byScale[i]?.[0] ?? 0]);
  // A motion changes neither the scale nor the landmarks.
  const still = diagonal(covariance.map(() => 1));
  const jacobian = still.map((row, i) => row.map((value, j) => ofCart[i]?.[j] ?? value));
  const noise = sandwich(turned, motionNoise(motion)).map((row) => [...row, 0]);
  const drift = NOISE.scalePerMm * Math.hypot(odometry.x, odometry.y);
  return {
    ...estimate,
    pose: composed(pose, motion),
    covariance: add(sandwich(jacobian, covariance), [...noise, [0, 0, 0, drift]]),
  };
}

export function scaled({ x, y, heading }: PlanarPose, by: number): PlanarPose {
  return { x: x * by, y: y * by, heading: heading * by };
}

/**
 * Returns the estimate after a measurement; undefined if the measurement is outside the gate, which rejects 1 % of
 * the correct measurements.
 */
export function corrected(estimate: Estimate, measurement: Measurement): Estimate | undefined {
  const { pose, scale, landmarks, covariance } = estimate;
  const updated = update(covariance, measurement);
  if (!updated) return undefined;
  const { change } = updated;
  return {
    pose: changed(pose, change),
    scale: scale + (change[3] ?? 0),
    landmarks: landmarks.map((landmark, i) => ({
      ...landmark,
      pose: changed(landmark.pose, change.slice(landmarkColumn(i))),
    })),
    covariance: updated.covariance,
  };
}

function changed({ x, y, heading }: PlanarPose, [dx = 0, dy = 0, turn = 0]: readonly number[]): PlanarPose {
  return { x: x + dx, y: y + dy, heading: heading + turn };
}

/** Combines two independent estimates of a pose. Returns undefined if they contradict each other. */
export function fused(a: PoseEstimate, b: PoseEstimate): PoseEstimate | undefined {
  const innovation = [b.pose.x - a.pose.x, b.pose.y - a.pose.y, normalised(b.pose.heading - a.pose.heading)];
  const updated = update(a.covariance, { innovation, jacobian: diagonal([1, 1, 1]), noise: b.covariance });
  if (!updated) return undefined;
  return { pose: changed(a.pose, updated.change), covariance: updated.covariance };
}

/** Performs a Kalman filter update. Returns undefined if the innovation is outside the gate. */
function update(
  covariance: Matrix,
  { innovation, jacobian, noise }: Measurement,
): { change: number[]; covariance: Matrix } | undefined {
  const inverted = inverse(add(sandwich(jacobian, covariance), noise));
  const residual = column(innovation);
  const distance = multiply(multiply(transpose(residual), inverted), residual)[0]?.[0] ?? Infinity;
  if (!(distance <= (CHI_SQUARE_99[innovation.length] ?? 0))) return undefined;
  const gain = multiply(multiply(covariance, transpose(jacobian)), inverted);
  // Joseph's form keeps the covariance positive definite despite rounding.
  const kept = subtract(diagonal(covariance.map(() => 1)), multiply(gain, jacobian));
  return {
    change: multiply(gain, residual).map(([value = 0]) => value),
    covariance: add(sandwich(kept, covariance), sandwich(gain, noise)),
  };
}
