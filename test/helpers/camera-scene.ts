import {
  type BodyPose,
  pixelOf,
  rotationOf,
  rotationProduct,
  transform,
} from '../../src/navigation/markers/camera-model.js';
import type { CameraModel } from '../../src/navigation/markers/model.js';
import type { Corners, Point } from '../../src/shared/ports/marker-detector.js';

/** Position of a marker or board in the camera's frame, in mm (x right, y down, z forward). */
export interface Placement {
  x: number;
  y?: number;
  z: number;
  /** A positive angle is counter-clockwise, seen from above. */
  yawDeg?: number;
  /** A positive angle leans the upper edge towards the camera. */
  pitchDeg?: number;
  rollDeg?: number;
}

const radians = (deg: number): number => (deg * Math.PI) / 180;

function bodyPose({ x, y = 0, z, yawDeg = 0, pitchDeg = 0, rollDeg = 0 }: Placement): BodyPose {
  // At yaw 0, the body's x axis points right, its y axis up and its normal towards the camera.
  const facing = rotationOf([Math.PI, 0, 0]);
  const yaw = rotationOf([0, -radians(yawDeg), 0]);
  const pitch = rotationOf([radians(pitchDeg), 0, 0]);
  const roll = rotationOf([0, 0, radians(rollDeg)]);
  return {
    rotation: rotationProduct(rotationProduct(rotationProduct(yaw, pitch), roll), facing),
    position: [x, y, z],
  };
}

/** Returns the pixels of a square's corners: lower left, lower right, upper right and upper left. */
export function cornersInImage(
  camera: CameraModel,
  placement: Placement,
  sizeMm: number,
  centre: Point = { x: 0, y: 0 },
): Corners {
  const pose = bodyPose(placement);
  const half = sizeMm / 2;
  const at = (x: number, y: number): Point =>
    pixelOf(transform(pose, [centre.x + x * half, centre.y + y * half, 0]), camera);
  return [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)];
}

export function withNoise(corners: Corners, random: () => number, deviationPx: number): Corners {
  const moved = ({ x, y }: Point): Point => ({
    x: x + deviationPx * random(),
    y: y + deviationPx * random(),
  });
  const [a, b, c, d] = corners;
  return [moved(a), moved(b), moved(c), moved(d)];
}
