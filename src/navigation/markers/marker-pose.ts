import type { Corners, Point } from '../../shared/ports/marker-detector.js';
import { type BodyPose, product, undistorted } from './camera-model.js';
import type { CameraModel, MarkerPose } from './model.js';
import { planarPoses } from './planar-pose.js';

/**
 * The yaw is unknown if the two solutions differ by more than this angle and the worse one also fits the image: its
 * error is less than 3 times that of the better one, or could be caused by the inaccuracy of the corners.
 */
const MAX_YAW_DIFFERENCE_DEG = 3;
const MIN_ERROR_RATIO = 3;
/**
 * Inaccuracy of the corners. In rendered images of markers at 2.5 to 6 m, the correct pose of a marker had an error
 * of up to 0.30 px, and the mirrored pose fitted better.
 */
const CORNER_ERROR_PX = { small: 0.35, large: 0.12 };
/** Markers below either limit count as small. The angle matters because large images are reduced before detection. */
const SMALL_BELOW = { px: 24, radians: 0.042 };
/** For smaller markers, the yaw error can be 10 degrees or more. */
const MIN_SIDE_PX = 16;

/** Returns a marker's corners in the order of `Corners`. */
export function cornersOf(sizeMm: number, centre: Point = { x: 0, y: 0 }): Corners {
  const half = sizeMm / 2;
  const at = (x: number, y: number): Point => ({ x: centre.x + x * half, y: centre.y + y * half });
  return [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)];
}

/** Returns undefined if the corners are degenerate. */
export function markerPose(corners: Corners, sizeMm: number, camera: CameraModel): MarkerPose | undefined {
  const model = cornersOf(sizeMm);
  const [best, other] = planarPoses(
    corners.map((corner, at) => ({ on: model[at] ?? corner, seen: undistorted(corner, camera) })),
  );
  if (!best) return undefined;
  const [x, y, z] = best.pose.position;
  const yawDeg = yawOf(best.pose);
  const sidePx = shortestSide(corners);
  const isSmall = sidePx < Math.max(SMALL_BELOW.px, SMALL_BELOW.radians * camera.fPx);
  const cornerErrorPx = isSmall ? CORNER_ERROR_PX.small : CORNER_ERROR_PX.large;
  const isAmbiguous =
    other !== undefined &&
    Math.abs(yawOf(other.pose) - yawDeg) > MAX_YAW_DIFFERENCE_DEG &&
    other.error < Math.max(MIN_ERROR_RATIO * best.error, cornerErrorPx / camera.fPx);
  return {
    rangeMm: Math.hypot(x, y, z),
    bearingDeg: degrees(Math.atan2(-x, z)),
    yawDeg: isAmbiguous || sidePx < MIN_SIDE_PX ? null : yawDeg,
    reprojectionErrorPx: best.error * camera.fPx,
  };
}

function shortestSide(corners: Corners): number {
  const sides = corners.map(({ x, y }, at) => {
    const next = corners[(at + 1) % corners.length];
    return next ? Math.hypot(next.x - x, next.y - y) : 0;
  });
  return Math.min(...sides);
}

/**
 * Returns the horizontal angle of the body's normal; 0 if the normal points in the opposite direction to the optical
 * axis.
 */
function yawOf({ rotation }: BodyPose): number {
  const [x, , z] = product(rotation, [0, 0, 1]);
  return degrees(Math.atan2(x, -z));
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
