import { GatewayError } from '../../shared/errors.js';
import type { ImageSize } from './georeference.js';
import type { PlanImage } from './schema.js';

/** A typical floor plan is a few hundred kB; a Pi sends 8 MB in about a second. */
export const MAX_PLAN_BYTES = 8 * 1024 * 1024;
/** Browsers use four bytes of memory per pixel. */
const MAX_PIXELS = 40_000_000;
const SIDE_PX = { min: 100, max: 10_000 };

/** Ignores the declared type. Throws `UNSUPPORTED_MEDIA_TYPE`, or `INVALID_INPUT` if the image is too large. */
export function readPlanImage(bytes: Buffer): PlanImage {
  const image = readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  if (!image) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the image is not a complete PNG, JPEG or WebP file', {
      field: 'image',
      hint: 'Save the plan as PNG.',
    });
  }
  checkSize(image);
  return image;
}

function checkSize({ width, height }: ImageSize): void {
  const size = `${width} x ${height} px`;
  for (const side of [width, height]) {
    if (side >= SIDE_PX.min && side <= SIDE_PX.max) continue;
    const message = `the image is ${size}; each side must be between ${SIDE_PX.min} and ${SIDE_PX.max} px`;
    throw new GatewayError('INVALID_INPUT', message, { field: 'image', limit: SIDE_PX.max, unit: 'px' });
  }
  if (width * height > MAX_PIXELS) {
    const message = `the image is ${size}; it must have at most ${MAX_PIXELS} pixels`;
    throw new GatewayError('INVALID_INPUT', message, {
      ...{ field: 'image', limit: MAX_PIXELS, unit: 'pixels' },
      hint: 'Scale the image down; 4000 px on the long side is enough for a hall.',
    });
  }
}

/** W3C PNG, 5.2 and 11.2.2: signature, then IHDR with the size; ends with IEND. */
function readPng(bytes: Buffer): PlanImage | undefined {
  const isPng = bytes.length >= 45 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n';
  if (!isPng || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  if (!bytes.includes('IEND', bytes.length - 64, 'latin1')) return undefined;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** RFC 9649: a RIFF container with the declared length and a VP8, VP8L or VP8X chunk. */
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

/** ITU-T T.81, B.1 and B.2: segments from SOI to the frame header with the size; EOI near the end. */
function readJpeg(bytes: Buffer): PlanImage | undefined {
  if (bytes.length < 20 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  if (!bytes.includes(Buffer.from([0xff, 0xd9]), Math.max(2, bytes.length - 4096))) return undefined;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) {
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** The codes of DHT, JPG and DAC are between SOF0 and SOF15, but are not frame headers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
