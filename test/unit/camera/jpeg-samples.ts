import { BlockImage } from '../../../src/camera/streaming/jpeg-blocks.js';
import { randomFrom } from '../../helpers/random.js';

export function segment(marker: number, payload: Uint8Array): Buffer {
  const length = payload.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), payload]);
}

const SOI = Buffer.from([0xff, 0xd8]);
const EOI = Buffer.from([0xff, 0xd9]);
const FRAME = Buffer.from([8, 0, 64, 0, 64, 1, 1, 0x11, 0]);
const SCAN = Buffer.from([1, 1, 0, 0, 63, 0]);

/** Returns random entropy-coded data with many 255 bytes, each followed by a stuffed zero byte. */
export function coded(length: number, seed: number): Buffer {
  const random = randomFrom(seed);
  const bytes: number[] = [];
  while (bytes.length < length) {
    const byte = random() < 0.1 ? 0xff : Math.floor(random() * 256);
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
  }
  return Buffer.from(bytes);
}

export function baseline(number = 1): Buffer {
  const image = new BlockImage(160, 120, [
    [20, 20, 20],
    [240, 240, 240],
  ]);
  image.write(1, 1, String(number), 1);
  return image.encode();
}

/** Returns an image with a thumbnail in its EXIF segment, as produced by rpicam-still. */
export function withThumbnail(): Buffer {
  const image = baseline(2);
  const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), baseline(3)]));
  return Buffer.concat([image.subarray(0, 2), exif, image.subarray(2)]);
}

/** Returns a progressive JPEG with several scans and Huffman tables between them. */
export function progressive(): Buffer {
  const scans = [1, 2, 3].flatMap((seed) => [
    segment(0xc4, coded(30, seed)),
    segment(0xda, SCAN),
    coded(900, seed + 10),
  ]);
  return Buffer.concat([SOI, segment(0xc2, FRAME), ...scans, EOI]);
}

/**
 * Returns a JPEG with restart markers in the coded data, fill bytes before markers, and the marker TEM, which
 * has no parameters.
 */
export function withRestarts(): Buffer {
  const data = Array.from({ length: 16 }, (_, at) =>
    Buffer.concat([coded(100, at), Buffer.from([0xff, 0xd0 + (at % 8)])]),
  );
  const fill = Buffer.from([0xff, 0xff, 0xff, 0x01, 0xff, 0xff]);
  return Buffer.concat([SOI, fill, segment(0xc0, FRAME), segment(0xda, SCAN), ...data, EOI]);
}
