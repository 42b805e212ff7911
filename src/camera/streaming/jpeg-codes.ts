/**
 * Tables of a baseline JPEG (ITU-T T.81) with single-colour 8×8 blocks: one quantisation table, one DC table,
 * and one AC table with only the end-of-block code. Y, Cb and Cr use the same tables, without subsampling.
 */

/** With this quantisation step, the DC coefficient of a single-colour block is its value minus 128. */
const DC_STEP = 8;

/** Code lengths for the difference categories 0 ("no change") to 8, sufficient for 8-bit values. */
const LENGTHS = [1, 4, 4, 4, 4, 4, 4, 4, 5];

interface Code {
  bits: number;
  length: number;
}

/** Codes by category, assigned as in T.81 annex C. */
const CODES = assignCodes();

function assignCodes(): Code[] {
  let next = 0;
  let before = 0;
  return LENGTHS.map((length) => {
    next <<= length - before;
    before = length;
    return { bits: next++, length };
  });
}

/**
 * Codes of at most 14 bits for a block, including its end-of-block code; indexed by 255 plus the difference
 * from the previous block.
 */
export const DIFFERENCES: readonly Code[] = Array.from({ length: 511 }, (_, at) => {
  const difference = at - 255;
  const category = 32 - Math.clz32(Math.abs(difference));
  const code = CODES[category] ?? { bits: 0, length: 0 };
  // Negative differences are encoded in ones' complement (T.81 F.1.2.1.1).
  const rest = difference < 0 ? difference + (1 << category) - 1 : difference;
  return { bits: ((code.bits << category) | rest) << 1, length: code.length + category + 1 };
});

/** Returns all segments before the entropy-coded data. */
export function headerOf(width: number, height: number): Buffer {
  const jfif = [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0];
  const components = [1, 2, 3].flatMap((id) => [id, 0x11, 0]);
  return Buffer.from([
    0xff,
    0xd8,
    ...segment(0xe0, jfif),
    ...segment(0xdb, [0, DC_STEP, ...Array<number>(63).fill(1)]),
    ...segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 3, ...components]),
    ...segment(0xc4, [0x00, ...countsOf(LENGTHS), ...LENGTHS.keys()]),
    ...segment(0xc4, [0x10, ...countsOf([1]), 0]),
    ...segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
  ]);
}

function segment(marker: number, payload: ArrayLike<number>): number[] {
  const length = payload.length + 2;
  return [0xff, marker, length >> 8, length & 255, ...Array.from(payload)];
}

function countsOf(lengths: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, at) => lengths.filter((length) => length === at + 1).length);
}
