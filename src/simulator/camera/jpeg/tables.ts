/** Tables of ITU-T T.81, annex K, and the segments that contain them. */

/** Row-major index of each coefficient in zigzag order (T.81, figure A.6). */
export const ZIGZAG = zigzag();

function zigzag(): Uint8Array {
  const order = new Uint8Array(64);
  let at = 0;
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    const first = Math.max(0, diagonal - 7);
    const last = Math.min(7, diagonal);
    for (let step = first; step <= last; step++) {
      const [row, column] = diagonal % 2 === 0 ? [diagonal - step, step] : [step, diagonal - step];
      order[at++] = row * 8 + column;
    }
  }
  return order;
}

/** Quantisation steps, row by row (tables K.1 and K.2). */
const LUMA_STEPS = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
const CHROMA_STEPS = [17, 18, 24, 47, 18, 21, 26, 66, 24, 26, 56, 99, 47, 66, 99, 99].flatMap(
  (step, at, all) => (at % 4 === 3 ? [all[at - 3], all[at - 2], all[at - 1], step, 99, 99, 99, 99] : []),
);

/** Steps for a quality of 1 to 100, scaled as in libjpeg. */
export function quantisation(quality: number): { luma: Uint8Array; chroma: Uint8Array } {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  const scaled = (steps: readonly (number | undefined)[]): Uint8Array =>
    Uint8Array.from({ length: 64 }, (_, at) =>
      Math.max(1, Math.min(255, Math.round(((steps[at] ?? 99) * percent) / 100))),
    );
  return { luma: scaled(LUMA_STEPS), chroma: scaled(CHROMA_STEPS) };
}

/** A Huffman table: the number of codes of each length from 1 to 16, and the symbols in code order. */
export interface HuffmanTable {
  counts: readonly number[];
  symbols: Uint8Array;
}

const DC_SYMBOLS = Uint8Array.from({ length: 12 }, (_, at) => at);

/** Table K.3. */
export const LUMA_DC: HuffmanTable = {
  counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
  symbols: DC_SYMBOLS,
};
/** Table K.4. */
export const CHROMA_DC: HuffmanTable = {
  counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
  symbols: DC_SYMBOLS,
};
/** Table K.5. */
export const LUMA_AC: HuffmanTable = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
  symbols: Buffer.from(
    [
      '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a34353637',
      '38393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2',
      'a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8',
      'f9fa',
    ].join(''),
    'hex',
  ),
};
/** Table K.6. */
export const CHROMA_AC: HuffmanTable = {
  counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
  symbols: Buffer.from(
    [
      '000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a3536',
      '3738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a9293949596979899',
      '9aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8',
      'f9fa',
    ].join(''),
    'hex',
  ),
};

/** Returns the code and length of each symbol (T.81, annex C). */
export function huffmanCodes({ counts, symbols }: HuffmanTable): { bits: Uint16Array; lengths: Uint8Array } {
  const bits = new Uint16Array(256);
  const lengths = new Uint8Array(256);
  let [code, at] = [0, 0];
  counts.forEach((count, index) => {
    for (let left = count; left > 0; left--) {
      const symbol = symbols[at++] ?? 0;
      bits[symbol] = code++;
      lengths[symbol] = index + 1;
    }
    code <<= 1;
  });
  return { bits, lengths };
}

/** Returns the segments before the entropy-coded data of an image with 4:2:0 subsampling, without the SOI marker. */
export function jpegHeader(width: number, height: number, quality: number, restartInterval: number): Buffer {
  const { luma, chroma } = quantisation(quality);
  const steps = (table: Uint8Array): number[] => Array.from(ZIGZAG, (index) => table[index] ?? 1);
  const huffman = (id: number, { counts, symbols }: HuffmanTable): number[] => [id, ...counts, ...symbols];
  return Buffer.from([
    ...segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...steps(luma), 1, ...steps(chroma)]),
    ...segment(0xc0, [
      8,
      height >> 8,
      height & 255,
      width >> 8,
      width & 255,
      3,
      1,
      0x22,
      0,
      2,
      0x11,
      1,
      3,
      0x11,
      1,
    ]),
    ...segment(0xc4, [
      ...huffman(0x00, LUMA_DC),
      ...huffman(0x10, LUMA_AC),
      ...huffman(0x01, CHROMA_DC),
      ...huffman(0x11, CHROMA_AC),
    ]),
    ...segment(0xdd, [restartInterval >> 8, restartInterval & 255]),
    ...segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ]);
}

function segment(marker: number, payload: readonly number[]): number[] {
  const length = payload.length + 2;
  return [0xff, marker, length >> 8, length & 255, ...payload];
}
