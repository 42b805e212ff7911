import type { Corners } from '../../shared/ports/marker-detector.js';
import type { MeasuredMarker } from '../markers/model.js';
import { MAX_MARKER_ID } from '../markers/schema.js';
import type { BoardImage, CalibrationBoard } from './board-calibration.js';
import { BOARD, BOARD_MARKERS } from './model.js';

export const MAX_FIRST_ID = MAX_MARKER_ID + 1 - BOARD_MARKERS;
/** Two views differ if the corners differ on average by more than this share of the image's width. */
const MIN_DIFFERENCE = 0.01;
/** The board is still if its corners move less than this share of the image's width between two images. */
const MAX_MOTION = 0.003;

export function boardFrom(firstId: number): CalibrationBoard {
  return { firstId, ...BOARD };
}

/** Returns the registered markers whose IDs the board contains. */
export function clashingIds(firstId: number, registered: readonly { id: number }[]): number[] {
  return registered.map(({ id }) => id).filter((id) => id >= firstId && id < firstId + BOARD_MARKERS);
}

/**
 * Returns the highest first ID of a board without registered markers, or the maximum ID if every board contains a
 * registered marker.
 */
export function freeFirstId(registered: readonly { id: number }[]): number {
  for (let firstId = MAX_FIRST_ID; firstId >= 0; firstId--) {
    if (clashingIds(firstId, registered).length === 0) return firstId;
  }
  return MAX_FIRST_ID;
}

/** Returns the board's markers. Omits a marker that is detected twice. */
export function boardImage(markers: readonly MeasuredMarker[], firstId: number): BoardImage {
  const own = markers.filter(({ id }) => id >= firstId && id < firstId + BOARD_MARKERS);
  return own
    .filter(({ id }) => own.filter((other) => other.id === id).length === 1)
    .map(({ id, corners }) => ({ id, corners }));
}

export function isStill(a: BoardImage, b: BoardImage, width: number): boolean {
  return differenceOf(a, b) < MAX_MOTION * width;
}

/** Returns the index of an image that shows the board in the same position; -1 if there is none. */
export function similarImage(image: BoardImage, images: readonly BoardImage[], width: number): number {
  return images.findIndex((other) => differenceOf(image, other) < MIN_DIFFERENCE * width);
}

/** Returns the root mean square distance of the corners that both images show; infinite if there are none. */
function differenceOf(a: BoardImage, b: BoardImage): number {
  const squares = a.flatMap(({ id, corners }) => {
    const other = b.find((marker) => marker.id === id);
    return other ? squaredDistances(corners, other.corners) : [];
  });
  if (squares.length === 0) return Number.POSITIVE_INFINITY;
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

function squaredDistances(a: Corners, b: Corners): number[] {
  return a.map(({ x, y }, at) => {
    const other = b[at] ?? { x, y };
    return (other.x - x) ** 2 + (other.y - y) ** 2;
  });
}
