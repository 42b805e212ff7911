import { composed, inverted, type PlanarPose, RAD } from '../planar.js';
import { corrected, type Estimate, type Landmark, landmarkColumn } from './estimate.js';
import { markerMeasurement, type SeenMarker } from './marker-measurement.js';
import { add, diagonal, type Matrix, multiply, sandwich, transpose } from './matrix.js';

/** Bounds the time per sighting, which grows with the cube of the number of landmarks. */
const MAX_LANDMARKS = 8;
/** A landmark that contradicts the estimate this many times in a row has been moved again. */
const MISSES = 3;
/** Standard deviation of the angle between a visible marker's normal and the direction to the camera. */
const FACING_RAD = 0.7;

/**
 * Returns the estimate after a sighting of a marker that is not where it is registered. The marker's pose is
 * estimated together with the cart's (EKF SLAM). The marker cannot correct the cart's pose, but it limits the drift
 * of the odometry while it is in view.
 */
export function correctedByLandmark(estimate: Estimate, seen: SeenMarker, mount: PlanarPose): Estimate {
  const { id } = seen.marker;
  const index = estimate.landmarks.findIndex((landmark) => landmark.id === id);
  const landmark = estimate.landmarks[index];
  if (!landmark) return withLandmark(estimate, seen, mount);
  const { ofMarker, jacobian, ...measured } = markerMeasurement(
    estimate.pose,
    at(seen, landmark.pose),
    mount,
  );
  const rows = jacobian.map((row, i) => {
    const between = new Array<number>(landmarkColumn(index) - row.length).fill(0);
    return [...row, ...between, ...(ofMarker[i] ?? [])];
  });
  const after = corrected(estimate, { ...measured, jacobian: rows });
  const misses = after ? 0 : landmark.misses + 1;
  if (misses === MISSES) return withLandmark(withoutLandmark(estimate, id), seen, mount);
  const { landmarks, ...result } = after ?? estimate;
  return { ...result, landmarks: landmarks.map((other) => (other.id === id ? { ...other, misses } : other)) };
}

export function withoutLandmark(estimate: Estimate, id: number): Estimate {
  const { landmarks, covariance } = estimate;
  const index = landmarks.findIndex((landmark) => landmark.id === id);
  if (index < 0) return estimate;
  const [first, end] = [landmarkColumn(index), landmarkColumn(index + 1)];
  const isKept = (_: unknown, i: number): boolean => i < first || i >= end;
  return {
    ...estimate,
    landmarks: landmarks.filter((landmark) => landmark.id !== id),
    covariance: covariance.filter(isKept).map((row) => row.filter(isKept)),
  };
}

/** Adds the marker where it was seen. */
function withLandmark(estimate: Estimate, seen: SeenMarker, mount: PlanarPose): Estimate {
  const { id, bearingDeg, rangeMm } = seen.sighting;
  // If the yaw is unknown, the marker is assumed to face the camera, with a large uncertainty.
  const yawDeg = seen.sighting.yawDeg ?? bearingDeg;
  const sighting = { ...seen.sighting, yawDeg };
  const unknown = seen.sighting.yawDeg === null ? FACING_RAD ** 2 : 0;
  const [oldest] = estimate.landmarks;
  if (oldest && estimate.landmarks.length >= MAX_LANDMARKS)
    return withLandmark(withoutLandmark(estimate, oldest.id), seen, mount);
  const camera = composed(composed(estimate.pose, inverted(seen.motion)), mount);
  const bearing = bearingDeg * RAD;
  const pose = composed(camera, {
    x: rangeMm * Math.cos(bearing),
    y: rangeMm * Math.sin(bearing),
    heading: yawDeg * RAD + Math.PI,
  });
  const { jacobian, noise } = markerMeasurement(estimate.pose, at({ ...seen, sighting }, pose), mount);
  // The three measured values determine the marker's pose exactly, so its error combines the measurement errors and the
  // error of the cart's pose.
  const back = inverseOfMarker(camera, pose);
  const byCart = multiply(back, jacobian).map((row) => row.map((value) => -value));
  const cross = multiply(byCart, estimate.covariance);
  const seenNoise = add(noise, diagonal([0, 0, unknown]));
  const own = add(sandwich(byCart, estimate.covariance), sandwich(back, seenNoise));
  const crossed = transpose(cross);
  return {
    ...estimate,
    landmarks: [...estimate.landmarks, { id, pose, misses: 0 }],
    covariance: [
      ...estimate.covariance.map((row, i) => [...row, ...(crossed[i] ?? [])]),
      ...cross.map((row, i) => [...row, ...(own[i] ?? [])]),
    ],
  };
}

/** Returns the inverse of `ofMarker`: derivatives of the marker's pose with respect to range, bearing and yaw. */
function inverseOfMarker(camera: PlanarPose, marker: PlanarPose): Matrix {
  const [dx, dy] = [marker.x - camera.x, marker.y - camera.y];
  const range = Math.hypot(dx, dy);
  return [
    [dx / range, -dy, 0],
    [dy / range, dx, 0],
    [0, 0, 1],
  ];
}

function at(seen: SeenMarker, { x, y, heading }: Landmark['pose']): SeenMarker {
  return { ...seen, marker: { ...seen.marker, xMm: x, yMm: y, headingDeg: heading / RAD } };
}
