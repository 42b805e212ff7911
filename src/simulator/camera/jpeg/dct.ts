/** Factor of each row and column in the coefficients of `forwardDct`. */
const SCALES = [
  1, 1.387039845322148, 1.306562964876377, 1.175875602419359, 1, 0.785694958387102, 0.541196100146197,
  0.275899379282943,
] as const;

const R2 = Math.SQRT1_2;
const C6 = 0.38268343236509;
const C2_MINUS_C6 = 0.541196100146197;
const C2_PLUS_C6 = 1.306562964876377;

/** Factors that convert the coefficients of `forwardDct` to quantised coefficients, row by row. */
export function reciprocals(steps: Uint8Array): Float64Array {
  return Float64Array.from(
    steps,
    (step, at) => 1 / (step * 8 * (SCALES[at >> 3] ?? 1) * (SCALES[at & 7] ?? 1)),
  );
}

/** Transforms a block of 8 x 8 values in place. Fast DCT of Arai, Agui and Nakajima (1988). */
export function forwardDct(block: Float64Array): void {
  for (let at = 0; at < 64; at += 8) transform(block, at, 1);
  for (let at = 0; at < 8; at++) transform(block, at, 8);
}

function transform(block: Float64Array, at: number, step: number): void {
  const v0 = block[at] ?? 0;
  const v1 = block[at + step] ?? 0;
  const v2 = block[at + 2 * step] ?? 0;
  const v3 = block[at + 3 * step] ?? 0;
  const v4 = block[at + 4 * step] ?? 0;
  const v5 = block[at + 5 * step] ?? 0;
  const v6 = block[at + 6 * step] ?? 0;
  const v7 = block[at + 7 * step] ?? 0;
  const s07 = v0 + v7;
  const d07 = v0 - v7;
  const s16 = v1 + v6;
  const d16 = v1 - v6;
  const s25 = v2 + v5;
  const d25 = v2 - v5;
  const s34 = v3 + v4;
  const d34 = v3 - v4;
  const even0 = s07 + s34;
  const even3 = s07 - s34;
  const even1 = s16 + s25;
  const rotated = (s16 - s25 + even3) * R2;
  block[at] = even0 + even1;
  block[at + 4 * step] = even0 - even1;
  block[at + 2 * step] = even3 + rotated;
  block[at + 6 * step] = even3 - rotated;
  const odd0 = d34 + d25;
  const odd1 = d25 + d16;
  const odd2 = d16 + d07;
  const shared = (odd0 - odd2) * C6;
  const z2 = odd0 * C2_MINUS_C6 + shared;
  const z4 = odd2 * C2_PLUS_C6 + shared;
  const z3 = odd1 * R2;
  const z11 = d07 + z3;
  const z13 = d07 - z3;
  block[at + 5 * step] = z13 + z2;
  block[at + 3 * step] = z13 - z2;
  block[at + step] = z11 + z4;
  block[at + 7 * step] = z11 - z4;
}
