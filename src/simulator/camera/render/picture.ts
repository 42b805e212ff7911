import { drawText } from '../../../camera/pure.js';

/** Side of the squares of pixels that the JPEG encoder processes. */
const UNIT = 16;

const DARK = 30;
const LIGHT = 235;

/** An image in Y, Cb and Cr; Cb and Cr have half the resolution. The planes are padded to whole units. */
export class Picture {
  readonly width: number;
  readonly height: number;
  /** Width and height of the luma plane. */
  readonly stride: number;
  readonly rows: number;
  readonly luma: Uint8ClampedArray;
  readonly cb: Uint8ClampedArray;
  readonly cr: Uint8ClampedArray;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.stride = Math.ceil(width / UNIT) * UNIT;
    this.rows = Math.ceil(height / UNIT) * UNIT;
    this.luma = new Uint8ClampedArray(this.stride * this.rows);
    this.cb = new Uint8ClampedArray(this.luma.length / 4);
    this.cr = new Uint8ClampedArray(this.luma.length / 4);
  }

  copy(from: Picture): void {
    this.luma.set(from.luma);
    this.cb.set(from.cb);
    this.cr.set(from.cr);
  }

  fill(luma: number): void {
    this.luma.fill(luma);
    this.cb.fill(128);
    this.cr.fill(128);
  }

  /** Writes a line of text on a dark background into the upper left corner. */
  write(text: string): void {
    const scale = Math.max(1, Math.round(this.width / 400));
    const right = Math.min(this.width, (text.length * 4 + 1) * scale);
    const bottom = Math.min(this.height, 7 * scale);
    for (let y = 0; y < bottom; y++) {
      this.luma.fill(DARK, y * this.stride, y * this.stride + right);
      this.cb.fill(128, (y >> 1) * (this.stride / 2), (y >> 1) * (this.stride / 2) + (right >> 1));
      this.cr.fill(128, (y >> 1) * (this.stride / 2), (y >> 1) * (this.stride / 2) + (right >> 1));
    }
    drawText(text, (column, row) => {
      const left = (column + 1) * scale;
      if (left + scale > this.width || (row + 2) * scale > this.height) return;
      for (let y = (row + 1) * scale; y < (row + 2) * scale; y++)
        this.luma.fill(LIGHT, y * this.stride + left, y * this.stride + left + scale);
    });
  }

  flip(horizontally: boolean, vertically: boolean): void {
    if (!horizontally && !vertically) return;
    const { width, height, stride } = this;
    for (const plane of [this.luma, this.cb, this.cr]) {
      const share = plane === this.luma ? 1 : 2;
      const [columns, rows, step] = [Math.ceil(width / share), Math.ceil(height / share), stride / share];
      const lines = Array.from({ length: rows }, (_, row) => plane.slice(row * step, row * step + columns));
      lines.forEach((line, row) => {
        plane.set(horizontally ? line.reverse() : line, (vertically ? rows - 1 - row : row) * step);
      });
    }
  }
}
