import { chunk } from './images.js';

/** Returns TIFF data with an image description and the orientation, as in the EXIF data of a photo. */
export function exif(orientation: number, order: 'II' | 'MM' = 'MM'): Buffer {
  const tiff = Buffer.alloc(38);
  const u16 = (value: number, to: number): unknown =>
    order === 'II' ? tiff.writeUInt16LE(value, to) : tiff.writeUInt16BE(value, to);
  const u32 = (value: number, to: number): unknown =>
    order === 'II' ? tiff.writeUInt32LE(value, to) : tiff.writeUInt32BE(value, to);
  tiff.write(order, 'latin1');
  u16(42, 2);
  u32(8, 4);
  u16(2, 8);
  for (const [nth, tag, type, count] of [
    [0, 0x010e, 2, 4],
    [1, 0x0112, 3, 1],
  ] as const) {
    u16(tag, 10 + nth * 12);
    u16(type, 12 + nth * 12);
    u32(count, 14 + nth * 12);
  }
  u16(orientation, 30);
  return tiff;
}

export function jpegWith(jpeg: Buffer, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), data]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

/** Inserts the EXIF data after IHDR or, if `isLate` is true, before IEND. */
export function pngWith(png: Buffer, data: Buffer, isLate = false): Buffer {
  const at = isLate ? png.length - 12 : 33;
  return Buffer.concat([png.subarray(0, at), chunk('eXIf', data), png.subarray(at)]);
}

/** Appends the EXIF data to a WebP image; adds a VP8X chunk if there is none. */
export function webpWith(webp: Buffer, data: Buffer, [width, height]: readonly [number, number]): Buffer {
  const isExtended = webp.toString('latin1', 12, 16) === 'VP8X';
  const extended = Buffer.alloc(18);
  extended.write('VP8X', 'latin1');
  extended.writeUInt32LE(10, 4);
  extended.writeUIntLE(width - 1, 12, 3);
  extended.writeUIntLE(height - 1, 15, 3);
  const rest = isExtended ? Buffer.from(webp.subarray(12)) : Buffer.concat([extended, webp.subarray(12)]);
  rest.writeUInt8(rest.readUInt8(8) | 0x08, 8);
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(data.length, 4);
  const body = Buffer.concat([Buffer.from('WEBP'), rest, head, data]);
  const riff = Buffer.from('RIFF\0\0\0\0', 'latin1');
  riff.writeUInt32LE(body.length, 4);
  return Buffer.concat([riff, body]);
}
