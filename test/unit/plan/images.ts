import { crc32, deflateSync } from 'node:zlib';

/** Returns a pixel's grey value, from 0 to 255. */
export type Paint = (x: number, y: number) => number;

/** Returns a greyscale PNG, light grey by default. */
export function png(width: number, height: number, paint: Paint = () => 0xf0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth.
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = paint(x, y);
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns a PNG chunk. */
export function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** Returns a JPEG without image data: an application segment, a fill byte, tables, the frame header and EOI. */
export function jpegShell(width: number, height: number): Buffer {
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    1,
    2,
    0xff,
    0xff,
    0xc4,
    0,
    3,
    9,
    0xff,
    0xc2,
    0,
    11,
    8,
    ...size,
    1,
    1,
    0x11,
    0,
    0xff,
    0xda,
    0,
    2,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    0xff,
    0xd9,
  ]);
}

/** Returns a WebP header with one of the three chunk types and a matching length. */
export function webpShell(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const body = Buffer.alloc(30);
  body.write('RIFF', 0, 'latin1');
  body.writeUInt32LE(22, 4);
  body.write(`WEBP${kind}`, 8, 'latin1');
  body.writeUInt32LE(10, 16);
  if (kind === 'VP8 ') {
    body.writeUInt16LE(width, 26);
    body.writeUInt16LE(height, 28);
  } else if (kind === 'VP8L') {
    body.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21);
  } else {
    body.writeUIntLE(width - 1, 24, 3);
    body.writeUIntLE(height - 1, 27, 3);
  }
  return body;
}
