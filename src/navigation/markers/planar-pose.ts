import type { Point } from '../../shared/ports/marker-detector.js';
import {
  type BodyPose,
  movedBody,
  type Rotation,
  rotationProduct,
  transform,
  type Vector,
} from './camera-model.js';
import { dot, minimise, solve } from './least-squares.js';

/** A point of a flat body and its normalised image. */
export interface Match {
  /** Position on the body's plane, in mm from the body's origin; x right, y up, seen from the front. */
  on: Point;
  seen: Point;
}

export interface PlanarSolution {
  pose: BodyPose;
  /** Root mean square distance between the points and their computed images, on the plane at distance 1. */
  error: number;
}

/**
 * Returns the two poses of a flat body that fit its image, the better one first. There are two, because mirroring
 * the tilt of a small or distant body about the line of sight hardly changes the image. Uses infinitesimal
 * plane-based pose estimation (Collins and Bartoli, IJCV 109, 2014), then Gauss-Newton. Returns an empty array if
 * the points are degenerate.
 * @param matches at least four points.
 */
export function planarPoses(matches: readonly Match[]): PlanarSolution[] {
  const homography = homographyOf(matches);
  if (!homography) return [];
  return rotationsOf(homography)
    .flatMap((rotation) => {
      const position = positionOf(rotation, matches);
      return position ? [refined({ rotation, position }, matches)] : [];
    })
    .filter(({ pose, error }) => pose.position[2] > 0 && Number.isFinite(error))
    .sort((a, b) => a.error - b.error);
}

/** Returns h11…h32 of the homography with h33 = 1, scaled so that distances on the body are about 1. */
function homographyOf(matches: readonly Match[]): number[] | undefined {
  const scale = Math.max(...matches.map(({ on }) => Math.hypot(on.x, on.y)));
  const rows = matches.flatMap(({ on, seen }) => {
    const [x, y] = [on.x / scale, on.y / scale];
    return [
      [x, y, 1, 0, 0, 0, -x * seen.x, -y * seen.x],
      [0, 0, 0, x, y, 1, -x * seen.y, -y * seen.y],
    ];
  });
  const values = matches.flatMap(({ seen }) => [seen.x, seen.y]);
  const columns = Array.from({ length: 8 }, (_, at) => rows.map((row) => row[at] ?? 0));
  return solve(
    columns.map((column) => columns.map((other) => dot(column, other))),
    columns.map((column) => dot(column, values)),
  );
}

function rotationsOf(homography: readonly number[]): Rotation[] {
  const [h11 = 0, h12 = 0, p = 0, h21 = 0, h22 = 0, q = 0, h31 = 0, h32 = 0] = homography;
  // The derivative of the image with respect to the position on the body, at the body's origin.
  const [j00, j01] = [h11 - h31 * p, h12 - h32 * p];
  const [j10, j11] = [h21 - h31 * q, h22 - h32 * q];
  const view = rotationTowards(p, q);
  // `a` is the same derivative as seen along the line of sight, up to a scale factor.
  const [b00, b01] = [view[0][0] - p * view[2][0], view[0][1] - p * view[2][1]];
  const [b10, b11] = [view[1][0] - q * view[2][0], view[1][1] - q * view[2][1]];
  const determinant = b00 * b11 - b01 * b10;
  const a00 = (b11 * j00 - b01 * j10) / determinant;
  const a01 = (b11 * j01 - b01 * j11) / determinant;
  const a10 = (b00 * j10 - b10 * j00) / determinant;
  const a11 = (b00 * j11 - b10 * j01) / determinant;
  // The largest singular value.
  const [xx, yy, xy] = [a00 * a00 + a01 * a01, a10 * a10 + a11 * a11, a00 * a10 + a01 * a11];
  const scale = Math.sqrt((xx + yy + Math.sqrt((xx - yy) ** 2 + 4 * xy ** 2)) / 2);
  if (!(scale > 0)) return [];
  const [r00, r01, r10, r11] = [a00 / scale, a01 / scale, a10 / scale, a11 / scale];
  const c0 = Math.sqrt(Math.max(0, 1 - r00 * r00 - r10 * r10));
  const c1 = Math.sqrt(Math.max(0, 1 - r01 * r01 - r11 * r11)) * (r00 * r01 + r10 * r11 > 0 ? -1 : 1);
  return [1, -1].map((sign) => {
    const [u, v]: [Vector, Vector] = [
      [r00, r10, sign * c0],
      [r01, r11, sign * c1],
    ];
    const w = cross(u, v);
    return rotationProduct(view, [
      [u[0], v[0], w[0]],
      [u[1], v[1], w[1]],
      [u[2], v[2], w[2]],
    ]);
  });
}

/** Returns the rotation by the smallest angle that turns the optical axis towards (p, q, 1). */
function rotationTowards(p: number, q: number): Rotation {
  const length = Math.hypot(p, q, 1);
  const [x, y, z] = [p / length, q / length, 1 / length];
  const k = 1 / (1 + z);
  return [
    [1 - k * x * x, -k * x * y, x],
    [-k * x * y, 1 - k * y * y, y],
    [-x, -y, z],
  ];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Returns the position that makes the rotated points fit the image best, by linear least squares. */
function positionOf(rotation: Rotation, matches: readonly Match[]): Vector | undefined {
  const rows: number[][] = [];
  const values: number[] = [];
  for (const { on, seen } of matches) {
    const [x, y, z] = transform({ rotation, position: [0, 0, 0] }, [on.x, on.y, 0]);
    rows.push([1, 0, -seen.x], [0, 1, -seen.y]);
    values.push(seen.x * z - x, seen.y * z - y);
  }
  const columns = [0, 1, 2].map((at) => rows.map((row) => row[at] ?? 0));
  const solution = solve(
    columns.map((column) => columns.map((other) => dot(column, other))),
    columns.map((column) => dot(column, values)),
  );
  return solution ? [solution[0] ?? 0, solution[1] ?? 0, solution[2] ?? 0] : undefined;
}

function refined(start: BodyPose, matches: readonly Match[]): PlanarSolution {
  const distance = Math.hypot(...start.position);
  const poseOf = (by: readonly number[]): BodyPose =>
    movedBody(
      start,
      by.map((value, at) => (at < 3 ? value : value * distance)),
    );
  const residuals = (by: readonly number[]): number[] => {
    const pose = poseOf(by);
    return matches.flatMap(({ on, seen }) => {
      const [x, y, z] = transform(pose, [on.x, on.y, 0]);
      return [x / z - seen.x, y / z - seen.y];
    });
  };
  const best = minimise(residuals, [0, 0, 0, 0, 0, 0], new Array<number>(6).fill(1e-6));
  const left = residuals(best);
  return { pose: poseOf(best), error: Math.sqrt(dot(left, left) / matches.length) };
}
