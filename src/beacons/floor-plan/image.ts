import { GatewayError } from '../../shared/errors.js';
import type { PictureSize } from './georeference.js';
import type { PlanImage } from './schema.js';

/** A plan of a hall is some hundred kB; this is more than any needs, and what a Pi sends in a second. */
export const MAX_PLAN_BYTES = 8 * 1024 * 1024;
/** Browsers keep four bytes for a pixel. */
const MAX_PIXELS = 40_000_000;
const SIDE = { least: 100, most: 10_000 };

/** Kind and size of a picture by its own bytes: what the sender calls it counts for nothing. Throws `UNSUPPORTED_MEDIA_TYPE` for another kind, `INVALID_INPUT` for a size that will not do. */
export function readPlanImage(bytes: Buffer): PlanImage {
  const image = readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  if (!image) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the picture is not a whole PNG, JPEG or WebP', {
      field: 'image',
      hint: 'Save the plan as PNG.',
    });
  }
  checkSize(image);
  return image;
}

function checkSize({ width, height }: PictureSize): void {
  const size = `${width} x ${height} px`;
  for (const side of [width, height]) {
    if (side >= SIDE.least && side <= SIDE.most) continue;
    const message = `the picture is ${size}: each side must be from ${SIDE.least} to ${SIDE.most} px`;
    throw new GatewayError('INVALID_INPUT', message, { field: 'image', limit: SIDE.most, unit: 'px' });
  }
  if (width * height > MAX_PIXELS) {
    const message = `the picture is ${size}: it must have at most ${MAX_PIXELS} pixels`;
    throw new GatewayError('INVALID_INPUT', message, {
      ...{ field: 'image', limit: MAX_PIXELS, unit: 'pixels' },
      hint: 'Make it smaller: 4000 px on the long side show a hall well.',
    });
  }
}

/** W3C PNG, 5.2 and 11.2.2: the signature, then the header with the size, at last IEND. */
function readPng(bytes: Buffer): PlanImage | undefined {
  const isPng = bytes.length >= 45 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n';
  if (!isPng || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  if (!bytes.includes('IEND', bytes.length - 64, 'latin1')) return undefined;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** RFC 9649: a RIFF of the length that it says, with one of three kinds of picture. */
function readWebp(bytes: Buffer): PlanImage | undefined {
  const tag = (at: number): string => bytes.toString('latin1', at, at + 4);
  if (bytes.length < 30 || tag(0) !== 'RIFF' || tag(8) !== 'WEBP') return undefined;
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  const webp = (width: number, height: number): PlanImage => ({ type: 'image/webp', width, height });
  switch (tag(12)) {
    case 'VP8 ':
      return webp(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return webp((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return webp(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}

/** ITU-T T.81, B.1 and B.2: segments from SOI on, up to the frame header, which has the size; EOI near the end. */
function readJpeg(bytes: Buffer): PlanImage | undefined {
  if (bytes.length < 20 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  if (!bytes.includes(Buffer.from([0xff, 0xd9]), Math.max(2, bytes.length - 4096))) return undefined;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) {
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    // A fill byte may stand before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15, without the tables that have numbers among them (DHT, JPG, DAC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
