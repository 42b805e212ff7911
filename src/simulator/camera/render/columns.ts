import { BODY, type Wall } from '../../field/plan.js';
import type { Lens } from './lens.js';
import { stripes } from './stripes.js';
import type { View } from './view.js';

export const HALL_HEIGHT_MM = 4000;
const CART_HEIGHT_MM = 300;
const SKIRTING_MM = 120;
/** Surfaces nearer than this are not drawn. */
const NEAR_MM = 20;
const PANEL_MM = 1000;
const JOINT_MM = 25;

/** Luma of walls parallel to x or y. */
const WALL = { alongX: 172, alongY: 148, joint: 0.75 } as const;
const CART_SIDE = { alongX: 120, alongY: 95, front: 150 } as const;

interface Colour {
  cb: number;
  cr: number;
}
const CART_COLOURS: readonly Colour[] = [
  { cb: 84, cr: 176 },
  { cb: 172, cr: 96 },
  { cb: 96, cr: 100 },
  { cb: 108, cr: 196 },
];

/**
 * The nearest wall and the nearest cart in each direction. All surfaces are vertical and the camera is level,
 * so one distance per direction is sufficient. Rows are in pixels below the horizon.
 */
export class Columns {
  readonly lens: Lens;
  /** Index into the arrays below for each pixel of the row that `aim` was called for. */
  readonly bins: Int32Array;
  readonly #first: number;
  readonly #perBin: number;
  readonly #count: number;
  readonly wallDepth: Float64Array;
  readonly wallTop: Float64Array;
  readonly wallBottom: Float64Array;
  readonly wallSkirting: Float64Array;
  readonly wallLuma: Float64Array;
  readonly cartDepth: Float64Array;
  readonly cartTop: Float64Array;
  readonly cartBottom: Float64Array;
  readonly cartLuma: Float64Array;
  readonly cartColour: Uint8Array;

  constructor(lens: Lens, stride: number) {
    const { fPx, cxPx, k1 } = lens.model;
    this.lens = lens;
    this.bins = Int32Array.from({ length: stride }, (_, column) => column);
    // Without distortion, each bin is exactly one column of pixels.
    this.#perBin = (k1 === 0 ? 1 : 0.5) / fPx;
    this.#first = k1 === 0 ? -cxPx / fPx : -lens.maxX;
    this.#count = k1 === 0 ? stride : Math.ceil((2 * lens.maxX) / this.#perBin) + 1;
    const bins = (): Float64Array => new Float64Array(this.#count);
    this.wallDepth = bins();
    this.wallTop = bins();
    this.wallBottom = bins();
    this.wallSkirting = bins();
    this.wallLuma = bins();
    this.cartDepth = bins();
    this.cartTop = bins();
    this.cartBottom = bins();
    this.cartLuma = bins();
    this.cartColour = new Uint8Array(this.#count);
  }

  /** Fills `lens.xs`, `lens.ys` and `bins` for a row of pixels. */
  aim(row: number): void {
    const { bins, lens } = this;
    lens.aim(row);
    if (lens.model.k1 === 0) return;
    const perX = 1 / this.#perBin;
    const last = this.#count - 1;
    for (let column = 0; column < bins.length; column++) {
      const bin = ((lens.xs[column] ?? 0) - this.#first) * perX + 0.5;
      bins[column] = bin < 0 ? 0 : bin > last ? last : bin;
    }
  }

  colourOf(bin: number): Colour {
    return CART_COLOURS[(this.cartColour[bin] ?? 0) % CART_COLOURS.length] ?? { cb: 128, cr: 128 };
  }

  survey(view: View, walls: readonly Wall[], carts: View['scene']['carts']): void {
    const { fPx } = this.lens.model;
    this.wallDepth.fill(Number.POSITIVE_INFINITY);
    this.cartDepth.fill(Number.POSITIVE_INFINITY);
    this.cartTop.fill(Number.POSITIVE_INFINITY);
    for (const wall of walls) {
      const shade = shadeOf(wall, WALL);
      this.#trace(view, wall, this.wallDepth, (bin, depth, alongMm, perPixelMm) => {
        const joint = stripes(alongMm, perPixelMm, PANEL_MM, JOINT_MM);
        this.wallLuma[bin] = shade * (1 - joint * (1 - WALL.joint));
        this.wallTop[bin] = (fPx * (view.heightMm - HALL_HEIGHT_MM)) / depth;
        this.wallBottom[bin] = (fPx * view.heightMm) / depth;
        this.wallSkirting[bin] = (fPx * (view.heightMm - SKIRTING_MM)) / depth;
      });
    }
    carts.forEach((cart, index) => {
      for (const [side, edge] of outline(cart).entries()) {
        const shade = side === 0 ? CART_SIDE.front : shadeOf(edge, CART_SIDE);
        this.#trace(view, edge, this.cartDepth, (bin, depth) => {
          this.cartLuma[bin] = shade;
          this.cartColour[bin] = index;
          this.cartTop[bin] = (fPx * (view.heightMm - CART_HEIGHT_MM)) / depth;
          this.cartBottom[bin] = (fPx * view.heightMm) / depth;
        });
      }
    });
    for (let bin = 0; bin < this.#count; bin++) {
      if ((this.cartDepth[bin] ?? 0) > (this.wallDepth[bin] ?? 0))
        this.cartTop[bin] = Number.POSITIVE_INFINITY;
    }
  }

  /** Calls `draw` for each direction in which the segment is nearer than `depths`, which it updates. */
  #trace(
    view: View,
    segment: Wall,
    depths: Float64Array,
    draw: (bin: number, depth: number, alongMm: number, perPixelMm: number) => void,
  ): void {
    const [x1, z1] = view.relative(segment.x1, segment.y1);
    const [x2, z2] = view.relative(segment.x2, segment.y2);
    if (z1 < NEAR_MM && z2 < NEAR_MM) return;
    const [dx, dz] = [x2 - x1, z2 - z1];
    const length = Math.hypot(dx, dz);
    // The part of the segment in front of the camera.
    const at = (NEAR_MM - z1) / dz;
    const [from, to] = [z1 < NEAR_MM ? at : 0, z2 < NEAR_MM ? at : 1];
    const ends = [from, to].map((share) => (x1 + share * dx) / (z1 + share * dz));
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const first = Math.max(0, Math.ceil((low - this.#first) / this.#perBin));
    const last = Math.min(this.#count - 1, Math.floor((high - this.#first) / this.#perBin));
    for (let bin = first; bin <= last; bin++) {
      const x = this.#first + bin * this.#perBin;
      const across = dx - x * dz;
      const share = (x * z1 - x1) / across;
      const depth = z1 + share * dz;
      if (!(depth >= NEAR_MM && depth < (depths[bin] ?? 0))) continue;
      depths[bin] = depth;
      draw(bin, depth, share * length, Math.abs((depth * length) / across / this.lens.model.fPx));
    }
  }
}

function shadeOf({ x1, y1, x2, y2 }: Wall, luma: { alongX: number; alongY: number }): number {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const share = Math.abs(x2 - x1) / length;
  return luma.alongX * share + luma.alongY * (1 - share);
}

/** Returns a cart's sides: front, left, rear and right. */
function outline({ xMm, yMm, headingDeg }: View['scene']['carts'][number]): Wall[] {
  const heading = (headingDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
  const { halfLengthMm: l, halfWidthMm: w } = BODY;
  const corners = [
    [l, -w],
    [l, w],
    [-l, w],
    [-l, -w],
  ].map(([ahead = 0, left = 0]) => ({
    x: xMm + ahead * cos - left * sin,
    y: yMm + ahead * sin + left * cos,
  }));
  return corners.flatMap(({ x, y }, at) => {
    const next = corners[(at + 1) % 4];
    return next ? [{ x1: x, y1: y, x2: next.x, y2: next.y }] : [];
  });
}
