import type { Wall } from '../../field/plan.js';
import { type Columns, HALL_HEIGHT_MM } from './columns.js';
import { Ground } from './ground.js';
import type { Picture } from './picture.js';
import type { View } from './view.js';

/** The default hall, which the outer walls always enclose. */
const HALL = { left: -3000, right: 13_000, bottom: -6000, top: 6000 };
const MARGIN_MM = 2000;
const FLOOR = { periodMm: 1000, lineMm: 30, isGrid: true, luma: 132, lineLuma: 88 };
const CEILING = { periodMm: 3000, lineMm: 300, isGrid: false, luma: 176, lineLuma: 246 };
const FLOOR_COLOUR = { cb: 122, cr: 132 };
const WALL_COLOUR = { cb: 124, cr: 130 };
const CEILING_COLOUR = { cb: 130, cr: 126 };
const SKIRTING_SHADE = 0.55;

/** Returns the outer walls of a hall that contains the default hall, everything in it and the camera. */
export function outerWalls({ scene, xMm, yMm }: View): Wall[] {
  const xs = [xMm, ...scene.walls.flatMap(({ x1, x2 }) => [x1, x2]), ...scene.markers.map((at) => at.xMm)];
  const ys = [yMm, ...scene.walls.flatMap(({ y1, y2 }) => [y1, y2]), ...scene.markers.map((at) => at.yMm)];
  // Rounded to multiples of the margin, so that the walls do not move with the camera.
  const low = (values: number[]) => Math.floor(Math.min(...values) / MARGIN_MM - 0.5) * MARGIN_MM;
  const high = (values: number[]) => Math.ceil(Math.max(...values) / MARGIN_MM + 0.5) * MARGIN_MM;
  const [left, right] = [Math.min(HALL.left, low(xs)), Math.max(HALL.right, high(xs))];
  const [bottom, top] = [Math.min(HALL.bottom, low(ys)), Math.max(HALL.top, high(ys))];
  return [
    { x1: left, y1: bottom, x2: right, y2: bottom },
    { x1: right, y1: bottom, x2: right, y2: top },
    { x1: right, y1: top, x2: left, y2: top },
    { x1: left, y1: top, x2: left, y2: bottom },
  ];
}

/** Draws the floor, the ceiling, the walls and other carts. */
export function drawHall(picture: Picture, columns: Columns, view: View): void {
  drawLuma(picture, columns, view);
  drawColours(picture, columns);
}

function drawLuma(picture: Picture, columns: Columns, view: View): void {
  const floor = new Ground(view, { ...FLOOR, depthMm: view.heightMm });
  const ceiling = new Ground(view, { ...CEILING, depthMm: view.heightMm - HALL_HEIGHT_MM });
  for (let row = 0; row < picture.rows; row++) {
    const at = row * picture.stride;
    columns.aim(row);
    if (row > columns.lens.model.cyPx) floor.drawRow(picture, at, columns, columns.wallBottom);
    else ceiling.drawRow(picture, at, columns, columns.wallTop);
    drawWalls(picture, at, columns);
  }
}

/** Draws walls and carts over a row of the floor or the ceiling. */
function drawWalls({ luma, stride }: Picture, from: number, columns: Columns): void {
  const { bins, lens, wallTop, wallBottom, wallSkirting, wallLuma, cartTop, cartBottom, cartLuma } = columns;
  const { fPx } = lens.model;
  const { ys } = lens;
  for (let column = 0; column < stride; column++) {
    const bin = bins[column] ?? 0;
    const down = (ys[column] ?? 0) * fPx + 0.5;
    const at = from + column;
    const below = (wallBottom[bin] ?? 0) - down + 1;
    const above = down - (wallTop[bin] ?? 0);
    if (below > 0 && above > 0) {
      const skirting = clamp(down - (wallSkirting[bin] ?? 0));
      const wall = (wallLuma[bin] ?? 0) * (1 - skirting * (1 - SKIRTING_SHADE));
      const share = clamp(below) * clamp(above);
      luma[at] = share === 1 ? wall : (luma[at] ?? 0) * (1 - share) + wall * share;
    }
    const cart = down - (cartTop[bin] ?? 0);
    if (cart > 0) {
      const share = clamp(cart) * clamp((cartBottom[bin] ?? 0) - down + 1);
      luma[at] = (luma[at] ?? 0) * (1 - share) + (cartLuma[bin] ?? 0) * share;
    }
  }
}

function drawColours({ cb, cr, stride, rows }: Picture, columns: Columns): void {
  const { bins, lens, wallTop, wallBottom, cartTop, cartBottom } = columns;
  const { fPx } = lens.model;
  for (let row = 0, at = 0; row < rows; row += 2) {
    columns.aim(row + 0.5);
    for (let column = 0; column < stride; column += 2, at++) {
      const bin = bins[column] ?? 0;
      const down = (lens.ys[column] ?? 0) * fPx;
      let colour = WALL_COLOUR;
      if (down > (cartTop[bin] ?? 0) && down < (cartBottom[bin] ?? 0)) colour = columns.colourOf(bin);
      else if (down > (wallBottom[bin] ?? 0)) colour = FLOOR_COLOUR;
      else if (down < (wallTop[bin] ?? 0)) colour = CEILING_COLOUR;
      cb[at] = colour.cb;
      cr[at] = colour.cr;
    }
  }
}

function clamp(share: number): number {
  return share < 0 ? 0 : share > 1 ? 1 : share;
}
