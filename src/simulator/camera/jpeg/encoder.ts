import type { Picture } from '../render/picture.js';
import { forwardDct, reciprocals } from './dct.js';
import {
  CHROMA_AC,
  CHROMA_DC,
  huffmanCodes,
  jpegHeader,
  LUMA_AC,
  LUMA_DC,
  quantisation,
  ZIGZAG,
} from './tables.js';

/** Side of a unit in pixels: four luma blocks and one block each of Cb and Cr. */
const UNIT = 16;
/** Space reserved for the code of a block; exceeds the longest possible code. */
const MAX_BYTES_PER_BLOCK = 512;
const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);

interface Codes {
  dc: ReturnType<typeof huffmanCodes>;
  ac: ReturnType<typeof huffmanCodes>;
  factors: Float64Array;
}

/**
 * Encodes images of one size as baseline JPEG (ITU-T T.81). Each row of units ends with a restart marker, so that a
 * row that has not changed since the previous image is not encoded again.
 */
export class JpegEncoder {
  readonly #header: Buffer;
  readonly #luma: Codes;
  readonly #chroma: Codes;
  readonly #block = new Float64Array(64);
  readonly #values = new Int32Array(64);
  readonly #before: Picture;
  readonly #rows: Buffer[] = [];
  readonly #bits: BitWriter;

  /** `previous` is a picture of the same size, which the encoder overwrites. */
  constructor(previous: Picture, quality: number) {
    const { width, height, stride } = previous;
    const steps = quantisation(quality);
    this.#before = previous;
    this.#header = jpegHeader(width, height, quality, stride / UNIT);
    this.#luma = { dc: huffmanCodes(LUMA_DC), ac: huffmanCodes(LUMA_AC), factors: reciprocals(steps.luma) };
    this.#chroma = {
      dc: huffmanCodes(CHROMA_DC),
      ac: huffmanCodes(CHROMA_AC),
      factors: reciprocals(steps.chroma),
    };
    this.#bits = new BitWriter(Buffer.alloc((stride / UNIT) * 6 * MAX_BYTES_PER_BLOCK));
  }

  /** `segments` follow the start marker. */
  encode(picture: Picture, segments: readonly Buffer[] = []): Buffer {
    const count = picture.rows / UNIT;
    for (let row = 0; row < count; row++) {
      if (this.#rows[row] && !hasChanged(picture, this.#before, row)) continue;
      this.#encodeRow(picture, row);
      this.#bits.align();
      if (row < count - 1) this.#bits.marker(0xd0 + (row % 8));
      this.#rows[row] = this.#bits.take();
    }
    this.#before.copy(picture);
    return Buffer.concat([START, ...segments, this.#header, ...this.#rows, END]);
  }

  #encodeRow({ luma, cb, cr, stride }: Picture, row: number): void {
    let [y, blue, red] = [0, 0, 0];
    const half = stride / 2;
    for (let left = 0; left < stride; left += UNIT) {
      const at = row * UNIT * stride + left;
      y = this.#encodeBlock(luma, at, stride, this.#luma, y);
      y = this.#encodeBlock(luma, at + 8, stride, this.#luma, y);
      y = this.#encodeBlock(luma, at + 8 * stride, stride, this.#luma, y);
      y = this.#encodeBlock(luma, at + 8 * stride + 8, stride, this.#luma, y);
      blue = this.#encodeBlock(cb, row * 8 * half + left / 2, half, this.#chroma, blue);
      red = this.#encodeBlock(cr, row * 8 * half + left / 2, half, this.#chroma, red);
    }
  }

  /** Returns the block's DC coefficient. */
  #encodeBlock(plane: Uint8ClampedArray, at: number, stride: number, codes: Codes, before: number): number {
    const { dc, ac, factors } = codes;
    const block = this.#block;
    const bits = this.#bits;
    const first = plane[at] ?? 0;
    let differs = 0;
    for (let row = 0, to = 0, from = at; row < 8; row++, from += stride) {
      for (let column = 0; column < 8; column++, to++) {
        const value = plane[from + column] ?? 0;
        differs |= value ^ first;
        block[to] = value - 128;
      }
    }
    const values = this.#values;
    let last = 0;
    if (differs === 0) values[0] = rounded((first - 128) * 64 * (factors[0] ?? 1));
    else {
      forwardDct(block);
      for (let index = 0; index < 64; index++) {
        const from = ZIGZAG[index] ?? 0;
        const value = rounded((block[from] ?? 0) * (factors[from] ?? 1));
        values[index] = value;
        if (value !== 0) last = index;
      }
    }
    const level = values[0] ?? 0;
    const change = level - before;
    const size = sizeOf(change);
    bits.put(dc.bits[size] ?? 0, dc.lengths[size] ?? 0);
    bits.put(change < 0 ? change + (1 << size) - 1 : change, size);
    let run = 0;
    for (let index = 1; index <= last; index++) {
      const value = values[index] ?? 0;
      if (value === 0) {
        run += 1;
        continue;
      }
      for (; run > 15; run -= 16) bits.put(ac.bits[0xf0] ?? 0, ac.lengths[0xf0] ?? 0);
      const category = sizeOf(value);
      const symbol = (run << 4) | category;
      bits.put(ac.bits[symbol] ?? 0, ac.lengths[symbol] ?? 0);
      bits.put(value < 0 ? value + (1 << category) - 1 : value, category);
      run = 0;
    }
    if (last < 63) bits.put(ac.bits[0] ?? 0, ac.lengths[0] ?? 0);
    return level;
  }
}

/** Returns the number of bits of the absolute value. */
function sizeOf(value: number): number {
  return 32 - Math.clz32(value < 0 ? -value : value);
}

/** Like Math.round, but faster. */
function rounded(value: number): number {
  return ((value + 16384.5) | 0) - 16384;
}

function hasChanged(picture: Picture, before: Picture, row: number): boolean {
  const length = picture.stride * UNIT;
  return (
    differs(picture.luma, before.luma, row * length, length) ||
    differs(picture.cb, before.cb, (row * length) / 4, length / 4) ||
    differs(picture.cr, before.cr, (row * length) / 4, length / 4)
  );
}

function differs(a: Uint8ClampedArray, b: Uint8ClampedArray, from: number, length: number): boolean {
  const view = (plane: Uint8ClampedArray) => Buffer.from(plane.buffer, plane.byteOffset + from, length);
  return !view(a).equals(view(b));
}

/** Packs bits, most significant first, and inserts a zero byte after every 0xFF byte (T.81, B.1.1.5). */
class BitWriter {
  readonly #into: Buffer;
  #buffer = 0;
  #count = 0;
  #at = 0;

  constructor(into: Buffer) {
    this.#into = into;
  }

  /** `length` must be at most 16. */
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

  /** Pads the last byte with ones. */
  align(): void {
    if (this.#count > 0) this.put((1 << (8 - this.#count)) - 1, 8 - this.#count);
  }

  marker(code: number): void {
    this.#into[this.#at++] = 0xff;
    this.#into[this.#at++] = code;
  }

  /** Returns a copy of the bytes written so far, and discards them. */
  take(): Buffer {
    const bytes = Buffer.from(this.#into.subarray(0, this.#at));
    this.#at = 0;
    return bytes;
  }
}
