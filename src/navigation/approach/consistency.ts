import { type PlanarPose, relative } from '../planar.js';
import type { ApproachRules, Expected, Measured } from './model.js';
import { bearingInCamera, markerInCart } from './plan.js';

/** Twice the measurement errors stated in docs/navigation.md. */
const TOLERANCE = { mm: 15, shareOfRange: 0.02 };
/** Allows for 2 % wheel slip and 5 % range error without calibration, but not for a wrong marker size. */
const SHARE_OF_TRAVEL = 0.12;
const SHARE_OF_TURN = 0.05;
/** Tolerance for the bearing at a standstill; its error is below 0.1 degrees. */
const STATIONARY_DEG = 0.5;
/** The detector finds markers at least up to this distance. */
const SEEN_WITHIN_MM = 4000;

/**
 * Returns true if the marker is not where the odometry predicts it. Possible causes: the image is late, the marker
 * has a different size, or the image shows a different marker.
 */
export function isMismatch(measured: Measured, { marker, track }: Expected, rules: ApproachRules): boolean {
  if (track.length === 0) return false;
  const seen = markerInCart(measured, rules);
  const permittedMm = TOLERANCE.mm + TOLERANCE.shareOfRange * measured.rangeMm;
  return track.every((pose) => {
    const { x, y } = relative(pose, marker);
    const odometryMm =
      SHARE_OF_TRAVEL * Math.hypot(pose.x, pose.y) +
      SHARE_OF_TURN * Math.abs(pose.heading) * measured.rangeMm;
    return Math.hypot(x - seen.x, y - seen.y) > permittedMm + odometryMm;
  });
}

/**
 * Returns true if two images from a standstill show different marker positions. In that case, the earlier image is
 * outdated.
 */
export function hasMarkerMoved(before: Measured, now: Measured): boolean {
  const permittedMm = TOLERANCE.mm + TOLERANCE.shareOfRange * now.rangeMm;
  return (
    Math.abs(now.rangeMm - before.rangeMm) > permittedMm ||
    Math.abs(now.bearingDeg - before.bearingDeg) > STATIONARY_DEG
  );
}

/** Returns true if the marker is visible from every pose of the track. */
export function isInView({ marker, track }: Expected, rules: ApproachRules, visibleDeg: number): boolean {
  const isVisible = (pose: PlanarPose): boolean => {
    const from = relative(pose, marker);
    const isNear = Math.hypot(from.x, from.y) <= SEEN_WITHIN_MM;
    return isNear && Math.abs(bearingInCamera(from, rules)) <= visibleDeg;
  };
  return track.length > 0 && track.every(isVisible);
}
