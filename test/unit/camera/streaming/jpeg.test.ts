import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { BlockImage, type Colour } from '../../../../src/camera/streaming/jpeg-blocks.js';
import { drawPlaceholder } from '../../../../src/camera/streaming/placeholder.js';
import { JpegSplitter } from '../../../../src/camera/streaming/splitter.js';
import { readBlocks } from '../jpeg-blocks-read.js';

const test = suite('block image encoder');

test('encodes blocks exactly, even when the image size is not a multiple of 8', () => {
  const grey: Colour[] = Array.from({ length: 256 }, (_, value) => [value, value, value]);
  for (const [width, height] of [
    [64, 64],
    [101, 67],
    [640, 480],
  ] as const) {
    const image = new BlockImage(width, height, grey);
    const expected = Array.from({ length: image.rows }, (_, row) =>
      Array.from({ length: image.columns }, (_, column) => (column * 97 + row * 31) % 256),
    );
    for (const [row, line] of expected.entries())
      for (const [column, value] of line.entries()) image.set(column, row, value);
    assert.deepEqual(readBlocks(image.encode()), { width, height, luma: expected });
  }
});

test('a placeholder shows its text lines and wraps long ones', () => {
  const lit = (jpeg: Buffer) =>
    readBlocks(jpeg)
      .luma.flat()
      .filter((value) => value > 100).length;
  const none = lit(drawPlaceholder([], 640, 480));
  const title = lit(drawPlaceholder(['No camera'], 640, 480));
  const both = lit(drawPlaceholder(['No camera', 'It is not plugged in '.repeat(5)], 640, 480));
  assert.equal(none, 0);
  assert.ok(title > 100 && both > 2 * title, `${none} ${title} ${both}`);
});

test('a placeholder is exactly one JPEG image for any size and text', () => {
  const lines = ['', 'Kamera fehlt – Stecker prüfen? 🙂', 'x'.repeat(500), '\u0000\n\t'];
  for (const [width, height] of [
    [64, 64],
    [66, 1080],
    [1920, 64],
    [1920, 1080],
  ] as const) {
    const images: Buffer[] = [];
    const jpeg = drawPlaceholder(lines, width, height);
    new JpegSplitter((image) => images.push(image)).push(jpeg);
    assert.deepEqual(images, [jpeg]);
    assert.equal(readBlocks(jpeg).width, width);
  }
});

test.run();
