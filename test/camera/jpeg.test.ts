import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { BlockPicture, type Colour } from '../../src/camera/jpeg-blocks.js';
import { drawPlaceholder } from '../../src/camera/placeholder.js';
import { JpegSplitter } from '../../src/camera/splitter.js';

const test = suite('pictures of flat blocks');

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];

/** Reads the blocks of such a picture back by the tables that the file itself brings (T.81 annex F). */
function read(jpeg: Buffer): { width: number; height: number; luma: number[][] } {
  const at = (marker: number) => jpeg.indexOf(Buffer.from([0xff, marker])) + 4;
  const frame = at(0xc0);
  const [height, width] = [jpeg.readUInt16BE(frame + 1), jpeg.readUInt16BE(frame + 3)];
  const codes = codesOf(jpeg.subarray(at(0xc4)));
  const scan = at(0xda) + 10;
  const bits = [...jpeg.subarray(scan, -2)]
    .filter((byte, index, all) => !(byte === 0 && all[index - 1] === 255))
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  let position = 0;
  const take = (count: number): string => {
    position += count;
    return bits.slice(position - count, position);
  };
  const difference = (): number => {
    let code = take(1);
    while (!codes.has(code)) code += take(1);
    const category = codes.get(code) ?? 0;
    const value = take(category);
    assert.equal(take(1), '0', 'the end of the block');
    if (category === 0) return 0;
    const number = Number.parseInt(value, 2);
    return value.startsWith('1') ? number : number - 2 ** category + 1;
  };
  const values = [0, 0, 0];
  const luma = Array.from({ length: Math.ceil(height / 8) }, () =>
    Array.from({ length: Math.ceil(width / 8) }, () => {
      for (const part of values.keys()) values[part] = (values[part] ?? 0) + difference();
      return (values[0] ?? 0) + 128;
    }),
  );
  assert.match(bits.slice(position), /^1{0,7}$/, 'nothing is left but ones');
  return { width, height, luma };
}

/** The codes of a Huffman table, as strings of bits. */
function codesOf(table: Buffer): Map<string, number> {
  const codes = new Map<string, number>();
  let [code, symbol] = [0, 17];
  for (let length = 1; length <= 16; length++) {
    for (let count = table[length] ?? 0; count > 0; count--) {
      codes.set(code.toString(2).padStart(length, '0'), table[symbol++] ?? 0);
      code += 1;
    }
    code <<= 1;
  }
  return codes;
}

test('what is drawn is what is read back, at sizes that are no multiples of 8, too', () => {
  const grey: Colour[] = Array.from({ length: 256 }, (_, value) => [value, value, value]);
  for (const [width, height] of [
    [64, 64],
    [101, 67],
    [640, 480],
  ] as const) {
    const picture = new BlockPicture(width, height, grey);
    const expected = Array.from({ length: picture.rows }, (_, row) =>
      Array.from({ length: picture.columns }, (_, column) => (column * 97 + row * 31) % 256),
    );
    for (const [row, line] of expected.entries())
      for (const [column, value] of line.entries()) picture.set(column, row, value);
    assert.deepEqual(read(picture.encode()), { width, height, luma: expected });
  }
});

test('flips mirror the blocks, brightness lightens them, a comment changes nothing', () => {
  const picture = new BlockPicture(24, 16, [BLACK, WHITE]);
  picture.set(0, 0, 1);
  const [plain] = [read(picture.encode()).luma];
  assert.deepEqual(plain, [
    [255, 0, 0],
    [0, 0, 0],
  ]);
  assert.deepEqual(read(picture.encode({ hflip: true })).luma[0], [0, 0, 255]);
  assert.deepEqual(read(picture.encode({ vflip: true })).luma[1], [255, 0, 0]);
  assert.deepEqual(read(picture.encode({ brightness: 0.2 })).luma[1], [51, 51, 51]);
  const commented = picture.encode({ comment: Buffer.from('{"seq":1}') });
  assert.ok(commented.includes('{"seq":1}'));
  assert.deepEqual(read(commented).luma, plain);
});

test('a placeholder shows its lines: other words are other blocks, and long ones are broken', () => {
  const lit = (jpeg: Buffer) =>
    read(jpeg)
      .luma.flat()
      .filter((value) => value > 100).length;
  const none = lit(drawPlaceholder([], 640, 480));
  const title = lit(drawPlaceholder(['No camera'], 640, 480));
  const both = lit(drawPlaceholder(['No camera', 'It is not plugged in '.repeat(5)], 640, 480));
  assert.equal(none, 0);
  assert.ok(title > 100 && both > 2 * title, `${none} ${title} ${both}`);
});

test('a placeholder of any size and any words is one image', () => {
  const words = ['', 'Kamera fehlt – Stecker prüfen? 🙂', 'x'.repeat(500), '\u0000\n\t'];
  for (const [width, height] of [
    [64, 64],
    [66, 1080],
    [1920, 64],
    [1920, 1080],
  ] as const) {
    const images: Buffer[] = [];
    const jpeg = drawPlaceholder(words, width, height);
    new JpegSplitter((image) => images.push(image)).push(jpeg);
    assert.deepEqual(images, [jpeg]);
    assert.equal(read(jpeg).width, width);
  }
});

test.run();
