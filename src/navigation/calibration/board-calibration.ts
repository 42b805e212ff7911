import type { Corners, Point } from '../../shared/ports/marker-detector.js';
import { type BodyPose, movedBody, pixelOf, transform, undistorted } from '../markers/camera-model.js';
import { dot, linearise, solve } from '../markers/least-squares.js';
import { cornersOf } from '../markers/marker-pose.js';
import type { CameraModel } from '../markers/model.js';
import { planarPoses } from '../markers/planar-pose.js';
import type { CalibrationSettings } from '../markers/settings-schema.js';
import { storedCalibration } from './calibration.js';

/** A printed board of markers with consecutive IDs, row by row from the upper left. */
export interface CalibrationBoard {
  firstId: number;
  columns: number;
  rows: number;
  /** Width of a black square. */
  sizeMm: number;
  /** Distance between the centres of neighbouring markers. */
  pitchMm: number;
}

export type BoardImage = readonly { id: number; corners: Corners }[];

/** Why a calibration is not possible. */
export type CalibrationFault = 'too-few-images' | 'not-converged' | 'not-determined';

export const MIN_IMAGES = 10;
/** Images with fewer markers of the board are ignored. */
export const MIN_MARKERS = 4;
const MAX_STEPS = 30;
/**
 * Limit for twice the standard deviation of the focal length. Above this limit, the views of the board are too
 * similar.
 */
const MAX_ERROR_PERCENT = 5;

interface View {
  points: { on: Point; pixel: Point }[];
  pose: BodyPose;
}

/** Returns the number of images that `boardCalibration` would use. */
export function usableImages(images: readonly BoardImage[], board: CalibrationBoard): number {
  return images.filter((image) => pointsOf(image, board).length >= 4 * MIN_MARKERS).length;
}

/**
 * Computes the focal length, image centre and radial distortion from images of a board, using the Levenberg-Marquardt
 * method (Zhang, IEEE TPAMI 22(11), 2000).
 * @param start initial model, such as a preset.
 * @param pause called between steps, each of which takes up to about 10 ms on a Pi.
 */
export async function boardCalibration(
  images: readonly BoardImage[],
  { board, start, cameraId }: { board: CalibrationBoard; start: CameraModel; cameraId: string },
  pause: () => Promise<void>,
): Promise<CalibrationSettings | CalibrationFault> {
  if (usableImages(images, board) < MIN_IMAGES) return 'too-few-images';
  const views = images.flatMap((image) => viewOf(pointsOf(image, board), start) ?? []);
  if (views.length < MIN_IMAGES) return 'not-converged';
  let state: State = { camera: start, views };
  let cost = costOf(state);
  let damping = 1e-3;
  for (let nth = 0; nth < MAX_STEPS && damping < 1e9; nth++) {
    await pause();
    const next = stepFrom(state, damping)?.next;
    const nextCost = next ? costOf(next) : Number.POSITIVE_INFINITY;
    if (!next || !(nextCost < cost)) {
      damping *= 10;
      continue;
    }
    const isDone = nextCost > cost * (1 - 1e-10);
    [state, cost, damping] = [next, nextCost, damping / 10];
    if (isDone) break;
  }
  return resultOf(state, cost, cameraId);
}

function resultOf(state: State, cost: number, cameraId: string): CalibrationSettings | CalibrationFault {
  const { camera, views } = state;
  const points = views.reduce((sum, view) => sum + view.points.length, 0);
  const isPlausible = camera.fPx > 0 && Math.abs(camera.k1) < 1 && Number.isFinite(cost);
  const variances = isPlausible ? stepFrom(state, 0)?.variances : undefined;
  if (!variances) return 'not-converged';
  const residualVariance = cost / (2 * points - 4 - 6 * views.length);
  const deviation = Math.sqrt((variances[0] ?? Number.POSITIVE_INFINITY) * residualVariance);
  const expectedErrorPercent = (200 * deviation) / camera.fPx;
  if (!(expectedErrorPercent <= MAX_ERROR_PERCENT)) return 'not-determined';
  const reprojectionErrorPx = Math.sqrt(cost / points);
  return storedCalibration(camera, { method: 'full', cameraId, reprojectionErrorPx, expectedErrorPercent });
}

interface State {
  camera: CameraModel;
  views: readonly View[];
}

function pointsOf(
  image: BoardImage,
  { firstId, columns, rows, sizeMm, pitchMm }: CalibrationBoard,
): View['points'] {
  return image.flatMap(({ id, corners }) => {
    const nth = id - firstId;
    if (nth < 0 || nth >= columns * rows) return [];
    // The origin is the centre of the board.
    const x = ((nth % columns) - (columns - 1) / 2) * pitchMm;
    const y = ((rows - 1) / 2 - Math.floor(nth / columns)) * pitchMm;
    const model = cornersOf(sizeMm, { x, y });
    return corners.map((pixel, at) => ({ on: model[at] ?? { x, y }, pixel }));
  });
}

function viewOf(points: View['points'], camera: CameraModel): View | undefined {
  if (points.length < 4 * MIN_MARKERS) return undefined;
  const matches = points.map(({ on, pixel }) => ({ on, seen: undistorted(pixel, camera) }));
  const [best] = planarPoses(matches);
  return best ? { points, pose: best.pose } : undefined;
}

function residualsOf(camera: CameraModel, pose: BodyPose, points: View['points']): number[] {
  return points.flatMap(({ on, pixel }) => {
    const { x, y } = pixelOf(transform(pose, [on.x, on.y, 0]), camera);
    return [x - pixel.x, y - pixel.y];
  });
}

function costOf({ camera, views }: State): number {
  return views.reduce((sum, { pose, points }) => {
    const values = residualsOf(camera, pose, points);
    return sum + dot(values, values);
  }, 0);
}

function changed(camera: CameraModel, by: readonly number[]): CameraModel {
  const [f = 0, cx = 0, cy = 0, k1 = 0] = by;
  const { fPx, cxPx, cyPx } = camera;
  return { ...camera, fPx: fPx + f, cxPx: cxPx + cx, cyPx: cyPx + cy, k1: camera.k1 + k1 };
}

const CAMERA_STEPS = [1e-3, 1e-3, 1e-3, 1e-6];
const POSE_STEPS = [1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-3];

/**
 * Performs one step of the Levenberg-Marquardt method. The poses depend on each other only through the camera's four
 * parameters, so their parts of the normal equations are eliminated first (Schur complement).
 */
function stepFrom(
  { camera, views }: State,
  damping: number,
): { next: State; variances: number[] } | undefined {
  const sum = zeros(4);
  const right = [0, 0, 0, 0];
  const parts = views.map(({ pose, points }) => {
    const residuals = (by: readonly number[]) =>
      residualsOf(changed(camera, by), movedBody(pose, by.slice(4)), points);
    const start = new Array<number>(10).fill(0);
    const { values, derivatives } = linearise(residuals, start, [...CAMERA_STEPS, ...POSE_STEPS]);
    const normal = derivatives.map((row) => derivatives.map((other) => dot(row, other)));
    const gradient = derivatives.map((row) => -dot(row, values));
    for (const [at, row] of normal.entries()) row[at] = (row[at] ?? 0) * (1 + damping);
    const poseBlock = normal.slice(4).map((row) => row.slice(4));
    const poseGradient = gradient.slice(4);
    const links = normal.slice(0, 4).map((row) => row.slice(4));
    return { poseBlock, poseGradient, links, cameraBlock: normal.slice(0, 4), gradient };
  });
  for (const { poseBlock, poseGradient, links, cameraBlock, gradient } of parts) {
    const reduced = solve(poseBlock, poseGradient);
    if (!reduced) return undefined;
    for (const [at, link] of links.entries()) {
      const solved = solve(poseBlock, link);
      if (!solved) return undefined;
      right[at] = (right[at] ?? 0) + (gradient[at] ?? 0) - dot(link, reduced);
      for (const [other, row] of links.entries()) {
        const target = sum[at];
        if (target) target[other] = (target[other] ?? 0) + (cameraBlock[at]?.[other] ?? 0) - dot(row, solved);
      }
    }
  }
  const change = solve(sum, right);
  if (!change) return undefined;
  const nextViews = views.map(({ pose, points }, nth) => {
    const { poseBlock = [], poseGradient = [], links = [] } = parts[nth] ?? {};
    const left = poseGradient.map(
      (value, at) => value - links.reduce((total, link, k) => total + (link[at] ?? 0) * (change[k] ?? 0), 0),
    );
    return { points, pose: movedBody(pose, solve(poseBlock, left) ?? []) };
  });
  const variances = [0, 1, 2, 3].map((at) => {
    const unit = [0, 1, 2, 3].map((k) => (k === at ? 1 : 0));
    return solve(sum, unit)?.[at] ?? Number.POSITIVE_INFINITY;
  });
  return { next: { camera: changed(camera, change), views: nextViews }, variances };
}

function zeros(size: number): number[][] {
  return Array.from({ length: size }, () => new Array<number>(size).fill(0));
}
