import type { Marker, MarkerSighting } from '../markers/model.js';
import { composed, inverted, normalised, type PlanarPose, RAD } from '../planar.js';
import { type Measurement, motionJacobian, motionNoise, type PoseEstimate, rotation } from './estimate.js';
import { add, diagonal, inverse, type Matrix, multiply, sandwich, transpose } from './matrix.js';

/**
 * Standard deviations of a sighting. The targets for real cameras, as 95th percentiles, are twice these values: 1 % +
 * 5 mm, 0.3 degrees and 2 degrees.
 */
const SIGMA = { rangeMm: 2.5, rangeShare: 0.005, bearingRad: 0.15 * RAD, yawRad: RAD };

/** Index of the yaw in the measured values. */
const YAW = 2;

/** A marker that was seen, and the motion of the cart since the image was captured. */
export interface SeenMarker {
  marker: Marker;
  sighting: MarkerSighting;
  /** Motion from the pose at the time of the image to the current pose, in the frame of the earlier pose. */
  motion: PlanarPose;
}

/**
 * Returns the measurement with respect to the current pose. The pose at the time of the image is the current pose
 * minus the motion since then. `ofMarker` contains the derivatives of the expected values with respect to the
 * marker's pose.
 */
export function markerMeasurement(
  pose: PlanarPose,
  { marker, sighting, motion }: SeenMarker,
  mount: PlanarPose,
): Measurement & { ofMarker: Matrix } {
  const back = inverted(motion);
  const then = composed(pose, back);
  const camera = composed(then, mount);
  const [dx, dy] = [marker.xMm - camera.x, marker.yMm - camera.y];
  const range = Math.hypot(dx, dy);
  const expected = {
    bearing: Math.atan2(dy, dx) - camera.heading,
    yaw: marker.headingDeg * RAD - camera.heading - Math.PI,
  };
  const innovation = [sighting.rangeMm - range, normalised(sighting.bearingDeg * RAD - expected.bearing)];
  const ofCamera: number[][] = [
    [-dx / range, -dy / range, 0],
    [dy / range ** 2, -dx / range ** 2, -1],
  ];
  const variances = rangeAndBearing(sighting.rangeMm);
  if (sighting.yawDeg !== null) {
    innovation.push(normalised(sighting.yawDeg * RAD - expected.yaw));
    ofCamera.push([0, 0, -1]);
    variances.push(SIGMA.yawRad ** 2);
  }
  // Range and bearing depend only on the difference between the positions, and the yaw only on the difference between
  // the headings.
  const ofMarker = ofCamera.map(([x = 0, y = 0], i) => [-x, -y, i === YAW ? 1 : 0]);
  const ofThen = multiply(ofCamera, motionJacobian(then, mount));
  const moved = sandwich(multiply(ofThen, rotation(pose.heading)), motionNoise(back));
  return {
    innovation,
    jacobian: multiply(ofThen, motionJacobian(pose, back)),
    noise: add(diagonal(variances), moved),
    ofMarker,
  };
}

/** Returns the current pose computed from this marker alone; undefined if its yaw is unknown. */
export function poseFromMarker(seen: SeenMarker, mount: PlanarPose): PoseEstimate | undefined {
  const { marker, sighting, motion } = seen;
  if (sighting.yawDeg === null) return undefined;
  const heading = marker.headingDeg * RAD - Math.PI - sighting.yawDeg * RAD;
  const direction = heading + sighting.bearingDeg * RAD;
  const camera = {
    x: marker.xMm - sighting.rangeMm * Math.cos(direction),
    y: marker.yMm - sighting.rangeMm * Math.sin(direction),
    heading,
  };
  const pose = composed(composed(camera, inverted(mount)), motion);
  const { jacobian, noise } = markerMeasurement(pose, seen, mount);
  // Three measured values determine the pose exactly, so the Jacobian is invertible.
  const information = sandwich(transpose(jacobian), inverse(noise));
  return { pose, covariance: inverse(information) };
}

function rangeAndBearing(rangeMm: number): number[] {
  return [(SIGMA.rangeMm + SIGMA.rangeShare * rangeMm) ** 2, SIGMA.bearingRad ** 2];
}
