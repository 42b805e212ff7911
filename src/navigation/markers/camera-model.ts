import type { Point } from '../../shared/ports/marker-detector.js';
import type { CameraModel } from './model.js';

export type Vector = readonly [number, number, number];
export type Rotation = readonly [Vector, Vector, Vector];

/** Position and rotation of a body in the camera's frame: x right, y down, z along the optical axis. */
export interface BodyPose {
  rotation: Rotation;
  position: Vector;
}

const MAX_ITERATIONS = 20;

/** Returns the position of a pixel on the plane at distance 1, without distortion. */
export function undistorted({ x, y }: Point, { fPx, cxPx, cyPx, k1 }: CameraModel): Point {
  const [distortedX, distortedY] = [(x - cxPx) / fPx, (y - cyPx) / fPx];
  const distorted = Math.hypot(distortedX, distortedY);
  if (k1 === 0 || distorted === 0) return { x: distortedX, y: distortedY };
  // Newton's method for r (1 + k1 r²) = distorted.
  let radius = distorted;
  for (let nth = 0; nth < MAX_ITERATIONS; nth++) {
    const slope = 1 + 3 * k1 * radius ** 2;
    // Beyond this radius, a barrel distortion would fold the image.
    if (slope < 0.1) break;
    const change = (radius * (1 + k1 * radius ** 2) - distorted) / slope;
    radius -= change;
    if (Math.abs(change) < 1e-12) break;
  }
  return { x: (distortedX * radius) / distorted, y: (distortedY * radius) / distorted };
}

/** Projects a point in the camera's frame to a pixel. */
export function pixelOf(
  [x, y, z]: Vector,
  { fPx, cxPx, cyPx, k1 }: Omit<CameraModel, 'width' | 'height'>,
): Point {
  const [u, v] = [x / z, y / z];
  const scale = fPx * (1 + k1 * (u * u + v * v));
  return { x: cxPx + scale * u, y: cyPx + scale * v };
}

export function transform({ rotation, position }: BodyPose, point: Vector): Vector {
  const [a, b, c] = product(rotation, point);
  return [a + position[0], b + position[1], c + position[2]];
}

export function product(matrix: Rotation, [x, y, z]: Vector): Vector {
  const [a, b, c] = matrix;
  return [a[0] * x + a[1] * y + a[2] * z, b[0] * x + b[1] * y + b[2] * z, c[0] * x + c[1] * y + c[2] * z];
}

export function rotationProduct(a: Rotation, b: Rotation): Rotation {
  const columns = transposed(b).map((column) => product(a, column)) as unknown as Rotation;
  return transposed(columns);
}

function transposed([a, b, c]: Rotation): Rotation {
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ];
}

/** Returns the rotation about a vector by an angle in radians equal to its length (Rodrigues' formula). */
export function rotationOf([x, y, z]: Vector): Rotation {
  const angle = Math.hypot(x, y, z);
  const s = angle < 1e-9 ? 1 : Math.sin(angle) / angle;
  const c = angle < 1e-9 ? 0.5 : (1 - Math.cos(angle)) / angle ** 2;
  const cos = Math.cos(angle);
  return [
    [cos + c * x * x, c * x * y - s * z, c * x * z + s * y],
    [c * x * y + s * z, cos + c * y * y, c * y * z - s * x],
    [c * x * z - s * y, c * y * z + s * x, cos + c * z * z],
  ];
}

/** Moves a pose by three rotation and three position parameters. */
export function movedBody({ rotation, position }: BodyPose, by: readonly number[]): BodyPose {
  const [a = 0, b = 0, c = 0, x = 0, y = 0, z = 0] = by;
  return {
    rotation: rotationProduct(rotationOf([a, b, c]), rotation),
    position: [position[0] + x, position[1] + y, position[2] + z],
  };
}
