import { randomFrom } from '../../physics/physics.js';
import type { Picture } from './picture.js';

const NOISE_SIZE = 1 << 16;
let noiseTable: Int8Array | undefined;

/** Samples from a normal distribution with a standard deviation of 32. */
function noiseValues(): Int8Array {
  const random = randomFrom(1);
  noiseTable ??= Int8Array.from({ length: NOISE_SIZE }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    return Math.max(-127, Math.min(127, Math.round(32 * radius * Math.cos(2 * Math.PI * random()))));
  });
  return noiseTable;
}

/** Adds noise with a standard deviation of `deviation` to each pixel's luma. */
export function addNoise({ luma, stride, rows }: Picture, deviation: number, random: () => number): void {
  const values = noiseValues();
  const factor = deviation / 32;
  for (let row = 0, at = 0; row < rows; row++) {
    let from = Math.floor(random() * NOISE_SIZE);
    for (let column = 0; column < stride; column++, at++, from++)
      luma[at] = (luma[at] ?? 0) + factor * (values[from & (NOISE_SIZE - 1)] ?? 0);
  }
}

/** Multiplies each pixel's luma by 2 for each stop of exposure, then adds `brightness` (-1 to 1, of the full range). */
export function expose({ luma, cb, cr }: Picture, stops: number, brightness: number): void {
  const factor = 2 ** stops;
  const table = Uint8ClampedArray.from({ length: 256 }, (_, value) => value * factor + brightness * 255);
  for (let at = 0; at < luma.length; at++) luma[at] = table[luma[at] ?? 0] ?? 0;
  if (factor >= 1) return;
  for (const plane of [cb, cr])
    for (let at = 0; at < plane.length; at++) plane[at] = 128 + ((plane[at] ?? 128) - 128) * factor;
}

/** Blurs the luma; `radiusPx` is about the standard deviation. Two box filters approximate a Gaussian filter. */
export function blur({ luma, stride, rows }: Picture, radiusPx: number): void {
  // The variance of a box filter with 2r + 1 pixels is r(r + 1)/3.
  const radius = Math.max(1, Math.round((Math.sqrt(1 + 6 * radiusPx * radiusPx) - 1) / 2));
  const line = new Uint8ClampedArray(Math.max(stride, rows));
  for (let pass = 0; pass < 2; pass++) {
    for (let row = 0; row < rows; row++) blurLine(luma, row * stride, 1, stride, radius, line);
    for (let column = 0; column < stride; column++) blurLine(luma, column, stride, rows, radius, line);
  }
}

function blurLine(
  plane: Uint8ClampedArray,
  from: number,
  step: number,
  length: number,
  radius: number,
  line: Uint8ClampedArray,
): void {
  const at = (index: number): number => line[index < 0 ? 0 : index >= length ? length - 1 : index] ?? 0;
  for (let index = 0; index < length; index++) line[index] = plane[from + index * step] ?? 0;
  let sum = 0;
  for (let index = -radius; index <= radius; index++) sum += at(index);
  for (let index = 0; index < length; index++) {
    plane[from + index * step] = sum / (2 * radius + 1);
    sum += at(index + radius + 1) - at(index - radius);
  }
}
