import type { Columns } from './columns.js';
import type { Picture } from './picture.js';
import { stripes } from './stripes.js';
import type { View } from './view.js';

/** A grid of lines on the floor or the ceiling. */
interface Pattern {
  /** Vertical distance from the camera, positive downwards. */
  depthMm: number;
  periodMm: number;
  lineMm: number;
  isGrid: boolean;
  luma: number;
  lineLuma: number;
}

/** The surface is a quarter darker at this distance. */
const DIM_MM = 25_000;

export class Ground {
  readonly #view: View;
  readonly #pattern: Pattern;

  constructor(view: View, pattern: Pattern) {
    this.#view = view;
    this.#pattern = pattern;
  }

  /**
   * Draws the pixels of a row that no wall covers. `ends` contains, for each of the `bins`, the last row of the wall,
   * in pixels below the horizon.
   */
  drawRow({ luma: plane }: Picture, at: number, { lens, bins }: Columns, ends: Float64Array): void {
    const { depthMm, periodMm, lineMm, isGrid, luma, lineLuma } = this.#pattern;
    const { xMm, yMm, cos, sin } = this.#view;
    const { xs, ys } = lens;
    const { fPx } = lens.model;
    const side = Math.sign(depthMm);
    for (let column = 0; column < xs.length; column++) {
      const y = ys[column] ?? 0;
      if (side * (y * fPx - (ends[bins[column] ?? 0] ?? 0)) <= -0.5) continue;
      const perDown = 1 / y;
      const ahead = depthMm * perDown;
      const right = ahead * (xs[column] ?? 0);
      // Size of a pixel on the plane, across and ahead.
      const wide = ahead / fPx;
      const long = Math.abs(wide * perDown);
      const alongX = Math.abs(wide * sin) + Math.abs(long * cos);
      let share = stripes(xMm + ahead * cos + right * sin, alongX, periodMm, lineMm);
      if (isGrid) {
        const alongY = Math.abs(wide * cos) + Math.abs(long * sin);
        const other = stripes(yMm + ahead * sin - right * cos, alongY, periodMm, lineMm);
        share += other - share * other;
      }
      plane[at + column] = (luma + (lineLuma - luma) * share) * (1 - (0.5 * ahead) / (ahead + DIM_MM));
    }
  }
}
