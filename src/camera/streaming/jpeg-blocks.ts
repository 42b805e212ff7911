import { commentOf, DIFFERENCES, headerOf } from './jpeg-codes.js';
import { drawText } from './jpeg-font.js';

/** Red, green and blue, each from 0 to 255. */
export type Colour = readonly [number, number, number];

interface EncodeOptions {
  hflip?: boolean;
  vflip?: boolean;
  /** From -1 to 1, added to the brightness of every block; 1 makes every block white. */
  brightness?: number;
  comment?: Uint8Array;
}

/** Maximum size of a block with three components, if every byte is stuffed. */
const BYTES_PER_BLOCK = 11;

/** An image of 8×8 pixel blocks for text and simple shapes. Takes 0.5 ms to encode at 1280×720. */
export class BlockImage {
  readonly columns: number;
  readonly rows: number;
  /** Palette indices, row by row. */
  readonly #blocks: Uint8Array;
  readonly #palette: readonly Colour[];
  readonly #header: Buffer;
  readonly #scratch: Buffer;

  /** Fills the image with the first of at most 256 palette colours. Width and height are in pixels. */
  constructor(width: number, height: number, palette: readonly Colour[]) {
    this.columns = Math.ceil(width / 8);
    this.rows = Math.ceil(height / 8);
    this.#blocks = new Uint8Array(this.columns * this.rows);
    this.#palette = palette;
    this.#header = headerOf(width, height);
    this.#scratch = Buffer.allocUnsafe(this.#blocks.length * BYTES_PER_BLOCK + 2);
  }

  clear(): void {
    this.#blocks.fill(0);
  }

  /** `colour` is a palette index. Blocks outside the image are ignored. */
  set(column: number, row: number, colour: number): void {
    if (column >= 0 && column < this.columns && row >= 0 && row < this.rows)
      this.#blocks[row * this.columns + column] = colour;
  }

  fill(column: number, row: number, columns: number, rows: number, colour: number): void {
    for (let y = row; y < row + rows; y++)
      for (let x = column; x < column + columns; x++) this.set(x, y, colour);
  }

  /** Letters are 3×5 blocks before scaling. */
  write(column: number, row: number, text: string, colour: number, scale = 1): void {
    drawText(text, (x, y) => this.fill(column + x * scale, row + y * scale, scale, scale, colour));
  }

  encode({ hflip = false, vflip = false, brightness = 0, comment }: EncodeOptions = {}): Buffer {
    const values = this.#palette.map((colour) => yCbCr(colour, brightness));
    const length = this.#encodeBlocks(values, hflip, vflip);
    const body = this.#scratch.subarray(0, length);
    if (!comment) return Buffer.concat([this.#header, body]);
    // The comment directly follows the SOI marker, so that readers find it first.
    return Buffer.concat([this.#header.subarray(0, 2), commentOf(comment), this.#header.subarray(2), body]);
  }

  /** Writes all blocks and the end marker into the scratch buffer; returns the length. */
  #encodeBlocks(values: readonly Colour[], hflip: boolean, vflip: boolean): number {
    const { columns, rows } = this;
    const bits = new BitWriter(this.#scratch);
    let previous: Colour = [128, 128, 128];
    for (let y = 0; y < rows; y++) {
      const row = (vflip ? rows - 1 - y : y) * columns;
      for (let x = 0; x < columns; x++) {
        const colour = this.#blocks[row + (hflip ? columns - 1 - x : x)] ?? 0;
        const now = values[colour] ?? previous;
        for (let part = 0; part < 3; part++) {
          const code = DIFFERENCES[(now[part] ?? 0) - (previous[part] ?? 0) + 255];
          if (code) bits.put(code.bits, code.length);
        }
        previous = now;
      }
    }
    return bits.end();
  }
}

/** Packs bits, most significant first, and inserts a zero byte after every 0xFF byte (T.81 B.1.1.5). */
class BitWriter {
  readonly #into: Buffer;
  #buffer = 0;
  #count = 0;
  #at = 0;

  constructor(into: Buffer) {
    this.#into = into;
  }

  put(bits: number, length: number): void {
    this.#buffer = (this.#buffer << length) | bits;
    this.#count += length;
    while (this.#count >= 8) {
      this.#count -= 8;
      const byte = (this.#buffer >> this.#count) & 255;
      this.#into[this.#at++] = byte;
      if (byte === 255) this.#into[this.#at++] = 0;
    }
    this.#buffer &= (1 << this.#count) - 1;
  }

  /** Pads the last byte with ones, writes EOI and returns the total length in bytes. */
  end(): number {
    if (this.#count > 0) this.put((1 << (8 - this.#count)) - 1, 8 - this.#count);
    this.#into[this.#at++] = 0xff;
    this.#into[this.#at++] = 0xd9;
    return this.#at;
  }
}

/** JFIF colour conversion (ITU-T T.871, 6.7). */
function yCbCr([r, g, b]: Colour, brightness: number): Colour {
  const clamp = (value: number) => Math.min(255, Math.max(0, Math.round(value)));
  const y = 0.299 * r + 0.587 * g + 0.114 * b;
  return [clamp(y + brightness * 255), clamp(128 + (b - y) / 1.772), clamp(128 + (r - y) / 1.402)];
}
