import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import { BlockImage, type Colour } from '../../../src/camera/streaming/jpeg-blocks.js';
import { JpegEncoder } from '../../../src/simulator/camera/jpeg/encoder.js';
import { commentOf } from '../../../src/simulator/camera/jpeg/segments.js';
import { Picture } from '../../../src/simulator/camera/render/picture.js';
import { Renderer } from '../../../src/simulator/camera/render/renderer.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { complaintsOf, hasFfmpeg } from '../../helpers/ffmpeg.js';
import { randomFrom } from '../../helpers/random.js';

const test = suite("the gateway's JPEGs in other decoders");

const SIZES = [
  [64, 64],
  [101, 67],
  [1280, 720],
] as const;

/** Generates a JPEG of randomly coloured blocks. */
function mosaic(width: number, height: number): { jpeg: Buffer; colours: Colour[][] } {
  const random = randomFrom(width);
  const palette = Array.from({ length: 256 }, (): Colour => [random() * 255, random() * 255, random() * 255]);
  const picture = new BlockImage(width, height, palette);
  const colours = Array.from({ length: picture.rows }, (_, row) =>
    Array.from({ length: picture.columns }, (_, column): Colour => {
      const index = Math.floor(random() * 256);
      picture.set(column, row, index);
      return palette[index] ?? [0, 0, 0];
    }),
  );
  return { jpeg: picture.encode(), colours };
}

/**
 * Asserts that each pixel matches its block's colour within a rounding error. `pixels` are RGB or RGBA
 * values.
 */
function assertPixels(pixels: ArrayLike<number>, step: number, width: number, colours: Colour[][]): void {
  const height = pixels.length / step / width;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = colours[y >> 3]?.[x >> 3] ?? [0, 0, 0];
      colour.forEach((value, part) => {
        const seen = pixels[(y * width + x) * step + part] ?? -1;
        if (Math.abs(seen - value) > 4) assert.fail(`(${x}, ${y}) part ${part}: ${seen} instead of ${value}`);
      });
    }
  }
}

async function pixelsInBrowser(browser: Browser, jpeg: Buffer): Promise<number[]> {
  const page = await browser.newPage();
  try {
    const url = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
    return await page.evaluate(async (address) => {
      const image = await createImageBitmap(await (await fetch(address)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      return [...context.getImageData(0, 0, image.width, image.height).data];
    }, url);
  } finally {
    await page.close();
  }
}

if (hasBrowser) {
  test('Chromium (libjpeg-turbo) decodes every block in the correct colour, even in images with odd dimensions', async () => {
    const browser = await openBrowser();
    try {
      for (const [width, height] of SIZES.slice(0, 2)) {
        const { jpeg, colours } = mosaic(width, height);
        const pixels = await pixelsInBrowser(browser, jpeg);
        assert.equal(pixels.length, width * height * 4);
        assertPixels(pixels, 4, width, colours);
      }
    } finally {
      await browser.close();
    }
  });
} else process.stdout.write('SKIPPED: JPEGs in Chromium (Chromium is not installed)\n');

if (hasFfmpeg) {
  for (const [width, height] of SIZES) {
    test(`ffmpeg decodes a ${width}x${height} image without warnings`, () => {
      const { jpeg, colours } = mosaic(width, height);
      const args = '-v warning -f mjpeg -i - -f rawvideo -pix_fmt rgb24 -'.split(' ');
      const { stdout, stderr } = spawnSync('ffmpeg', args, { input: jpeg, maxBuffer: 1 << 24 });
      assert.equal(complaintsOf(String(stderr)), '');
      assertPixels(stdout, 3, width, colours);
    });
  }

  test('ffmpeg decodes a simulated image with an error no greater than that of its quantisation', () => {
    const [width, height] = [64, 48];
    const picture = new Picture(width, height);
    const random = randomFrom(5);
    for (const plane of [picture.luma, picture.cb, picture.cr])
      for (const at of plane.keys()) plane[at] = random() * 256;
    const encoder = new JpegEncoder(new Picture(width, height), 100);
    encoder.encode(picture);
    // Changes only the first rows. The encoder reuses the others.
    picture.luma.fill(255, 0, 16 * picture.stride);
    const args = '-v warning -f mjpeg -i - -f rawvideo -pix_fmt yuvj420p -'.split(' ');
    const { stdout, stderr } = spawnSync('ffmpeg', args, { input: encoder.encode(picture) });
    assert.equal(complaintsOf(String(stderr)), '');
    const expected = Buffer.concat([picture.luma, picture.cb, picture.cr].map((plane) => Buffer.from(plane)));
    assert.equal(stdout.length, expected.length);
    const worst = expected.reduce(
      (most, value, at) => Math.max(most, Math.abs(value - (stdout[at] ?? 0))),
      0,
    );
    assert.ok(worst <= 4, `${worst}`);
  });

  test('ffmpeg plays a stream from the simulated camera without warnings', () => {
    const renderer = new Renderer({ width: 641, height: 479, random: randomFrom(6) });
    const encoder = new JpegEncoder(new Picture(641, 479), 70);
    const stream = Array.from({ length: 30 }, (_, at) => {
      const pose = { xMm: at * 50, yMm: 0, headingDeg: at * 5 };
      const picture = renderer.draw({
        pose,
        mount: { xMm: 250, yMm: 0, headingDeg: 0 },
        walls: [],
        markers: [],
        carts: [],
        faults: {},
      });
      return encoder.encode(picture, [commentOf(Buffer.from(`{"seq":${at}}`))]);
    });
    const args = '-v warning -f mjpeg -i - -f framemd5 -'.split(' ');
    const { stdout, stderr } = spawnSync('ffmpeg', args, {
      input: Buffer.concat(stream),
      maxBuffer: 1 << 24,
    });
    assert.equal(complaintsOf(String(stderr)), '');
    assert.equal(
      String(stdout)
        .split('\n')
        .filter((line) => line.startsWith('0,')).length,
      30,
    );
  });
} else process.stdout.write('SKIPPED: JPEGs in ffmpeg (ffmpeg is not installed)\n');

test.run();
