import { MARKER_CELLS, markerCells } from '../../../shared/markers/tag36h11.js';
import type { SceneMarker } from '../scene.js';
import type { Columns } from './columns.js';
import type { Picture } from './picture.js';
import type { View } from './view.js';

/** The centre of every marker is at the camera's height. */
const MARKER_HEIGHT_MM = 200;
const NEAR_MM = 20;
/** A marker on a wall is drawn in front of the wall. */
const THICKNESS_MM = 20;
const BLACK = 28;
const WHITE = 222;
/** Luma of a marker's back, and of a sheet that covers a marker. */
const PLAIN = 120;
/** Width of the black square in cells; the board's white border adds one cell on each side. */
const BORDER_CELLS = MARKER_CELLS - 2;

/** A marker's image, which can be averaged over rectangles. */
class Board {
  /** Sum of the cells above and to the left of each corner of a cell. */
  readonly #sums = new Float64Array((MARKER_CELLS + 1) ** 2);

  constructor(cells: ArrayLike<number>) {
    const side = MARKER_CELLS + 1;
    for (let y = 1; y < side; y++) {
      for (let x = 1; x < side; x++) {
        const cell = cells[(y - 1) * MARKER_CELLS + x - 1] ?? 0;
        this.#sums[y * side + x] = cell + this.#at(x - 1, y) + this.#at(x, y - 1) - this.#at(x - 1, y - 1);
      }
    }
  }

  /** Integral over a rectangle inside the board, in cells. */
  integral(left: number, top: number, right: number, bottom: number): number {
    return this.#sum(right, bottom) - this.#sum(left, bottom) - this.#sum(right, top) + this.#sum(left, top);
  }

  /** Integral from the upper left corner. It is bilinear within a cell, so the interpolation is exact. */
  #sum(x: number, y: number): number {
    const column = Math.min(MARKER_CELLS - 1, Math.floor(x));
    const row = Math.min(MARKER_CELLS - 1, Math.floor(y));
    const [u, v] = [x - column, y - row];
    const upper = this.#at(column, row) * (1 - u) + this.#at(column + 1, row) * u;
    const lower = this.#at(column, row + 1) * (1 - u) + this.#at(column + 1, row + 1) * u;
    return upper * (1 - v) + lower * v;
  }

  #at(column: number, row: number): number {
    return this.#sums[row * (MARKER_CELLS + 1) + column] ?? 0;
  }
}

const boards = new Map<string, Board>();
const PLAIN_BOARD = new Board(new Float64Array(MARKER_CELLS ** 2).fill((PLAIN - BLACK) / (WHITE - BLACK)));

function boardOf(id: number, isUpsideDown: boolean): Board {
  const key = `${id} ${isUpsideDown}`;
  const cells = markerCells(id);
  const board = boards.get(key) ?? new Board(isUpsideDown ? cells.reverse() : cells);
  boards.set(key, board);
  return board;
}

interface Plate {
  board: Board;
  /** Width of the board, including its white border. */
  sideMm: number;
  /** Centre, and direction to the right as seen from the front. x is to the right of the camera, z ahead of it. */
  x: number;
  z: number;
  rightX: number;
  rightZ: number;
}

function plateOf(marker: SceneMarker, view: View): Plate {
  const { faults } = view.scene;
  const heading = (marker.headingDeg * Math.PI) / 180;
  const [x, z] = view.relative(marker.xMm, marker.yMm);
  const [aheadX, aheadZ] = view.relative(marker.xMm + Math.cos(heading), marker.yMm + Math.sin(heading));
  const [normalX, normalZ] = [aheadX - x, aheadZ - z];
  const isBack = normalX * x + normalZ * z >= 0;
  const isPlain = isBack || faults.markerCovered === marker.id;
  return {
    board: isPlain ? PLAIN_BOARD : boardOf(marker.id, faults.markerUpsideDown === marker.id),
    sideMm: (marker.sizeMm * (faults.markerSize ?? 1) * MARKER_CELLS) / BORDER_CELLS,
    x,
    z,
    rightX: -normalZ,
    rightZ: normalX,
  };
}

/** Draws the markers that face the camera, farthest first. */
export function drawMarkers(picture: Picture, columns: Columns, view: View): void {
  const plates = view.scene.markers.map((marker) => plateOf(marker, view));
  plates.sort((a, b) => b.z - a.z);
  for (const plate of plates) drawPlate(picture, columns, view, plate);
}

function drawPlate(picture: Picture, columns: Columns, view: View, plate: Plate): void {
  const box = bounds(picture, columns, view, plate);
  if (!box) return;
  const { lens } = columns;
  const { fPx } = lens.model;
  const { board, sideMm, x, z, rightX, rightZ } = plate;
  const cellMm = sideMm / MARKER_CELLS;
  const topMm = view.heightMm - MARKER_HEIGHT_MM - sideMm / 2;
  for (let row = box.top; row <= box.bottom; row++) {
    columns.aim(row);
    for (let column = box.left; column <= box.right; column++) {
      const rayX = lens.xs[column] ?? 0;
      const across = rightX - rayX * rightZ;
      const along = (rayX * z - x) / across;
      const depth = z + along * rightZ;
      if (!(depth > NEAR_MM) || !isVisible(columns, column, depth)) continue;
      // The pixel's rectangle on the board, in cells.
      const u = (along + sideMm / 2) / cellMm;
      const v = ((lens.ys[column] ?? 0) * depth - topMm) / cellMm;
      const halfU = Math.abs((z * rightX - x * rightZ) / (across * across)) / fPx / cellMm / 2;
      const halfV = depth / fPx / cellMm / 2;
      const [left, right] = [Math.max(0, u - halfU), Math.min(MARKER_CELLS, u + halfU)];
      const [top, bottom] = [Math.max(0, v - halfV), Math.min(MARKER_CELLS, v + halfV)];
      if (left >= right || top >= bottom) continue;
      const area = 4 * halfU * halfV;
      const coverage = ((right - left) * (bottom - top)) / area;
      const white = board.integral(left, top, right, bottom) / area;
      paint(picture, column, row, BLACK * coverage + (WHITE - BLACK) * white, coverage);
    }
  }
}

/** Returns true if neither a wall nor a cart is in front of a point in a column of the row. */
function isVisible(columns: Columns, column: number, depth: number): boolean {
  const bin = columns.bins[column] ?? 0;
  const nearest = Math.min(columns.wallDepth[bin] ?? 0, columns.cartDepth[bin] ?? 0);
  return depth < nearest + THICKNESS_MM;
}

/** Blends luma into a pixel that is partly covered. */
function paint(
  { luma, cb, cr, stride }: Picture,
  column: number,
  row: number,
  value: number,
  coverage: number,
): void {
  const at = row * stride + column;
  luma[at] = (luma[at] ?? 0) * (1 - coverage) + value;
  if ((column | row) & 1 || coverage < 0.5) return;
  const half = (row >> 1) * (stride >> 1) + (column >> 1);
  cb[half] = 128;
  cr[half] = 128;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns the pixels that a plate may cover; undefined if there are none. */
function bounds(picture: Picture, { lens }: Columns, view: View, plate: Plate): Box | undefined {
  const { sideMm, x, z, rightX, rightZ } = plate;
  const half = sideMm / 2;
  const ends = [-half, half].map((along) => ({ x: x + along * rightX, z: z + along * rightZ }));
  if (ends.every((end) => end.z < NEAR_MM)) return undefined;
  const all = { left: 0, top: 0, right: picture.stride - 1, bottom: picture.rows - 1 };
  if (ends.some((end) => end.z < NEAR_MM)) return all;
  const middle = view.heightMm - MARKER_HEIGHT_MM;
  const points = ends.flatMap((end) =>
    // With distortion, an edge bulges most at its middle.
    [-half, 0, half].map((down) => lens.project(end.x / end.z, (middle + down) / end.z)),
  );
  points.push(...[-half, half].map((down) => lens.project(x / z, (middle + down) / z)));
  const [columns, rows] = [points.map(([column]) => column), points.map(([, row]) => row)];
  const box = {
    left: Math.max(0, Math.floor(Math.min(...columns)) - 2),
    top: Math.max(0, Math.floor(Math.min(...rows)) - 2),
    right: Math.min(all.right, Math.ceil(Math.max(...columns)) + 2),
    bottom: Math.min(all.bottom, Math.ceil(Math.max(...rows)) + 2),
  };
  return box.left <= box.right && box.top <= box.bottom ? box : undefined;
}
