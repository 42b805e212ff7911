import { crc32 } from 'node:zlib';
import { GatewayError } from '../../shared/errors.js';
import { exifOrientation } from './exif.js';
import type { PlanImageSize } from './georeference.js';
import { isTransposed, type Orientation } from './orientation.js';
import type { PlanImage } from './schema.js';

/** Maximum size of an image; a typical one has a few hundred kB, and a Pi sends 8 MB in about a second. */
export const MAX_PLAN_BYTES = 8 * 1024 * 1024;
/** Maximum number of pixels, because browsers use four bytes of memory per pixel. */
const MAX_PIXELS = 40_000_000;
const SIDE_PX = { min: 100, max: 10_000 };

/**
 * Ignores the declared type. Throws `UNSUPPORTED_MEDIA_TYPE`, or `INVALID_INPUT` if the image is too large.
 */
export function readPlanImage(bytes: Buffer): PlanImage {
  const image = imageIn(bytes);
  if (!image) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the image is not a complete PNG, JPEG or WebP file', {
      field: 'image',
      hint: 'Save the plan as PNG.',
    });
  }
  checkSize(image);
  return image;
}

/** Returns 1 if the image cannot be read. */
export function orientationOf(bytes: Buffer): Orientation {
  return imageIn(bytes)?.orientation ?? 1;
}

function imageIn(bytes: Buffer): PlanImage | undefined {
  return readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
}

function checkSize({ width, height }: PlanImageSize): void {
  const size = `${width} x ${height} px`;
  for (const side of [width, height]) {
    if (side >= SIDE_PX.min && side <= SIDE_PX.max) continue;
    const message = `the image is ${size}; each side must be between ${SIDE_PX.min} and ${SIDE_PX.max} px`;
    throw new GatewayError('INVALID_INPUT', message, { field: 'image', limit: SIDE_PX.max, unit: 'px' });
  }
  if (width * height > MAX_PIXELS) {
    const message = `the image is ${size}; it must have at most ${MAX_PIXELS} pixels`;
    throw new GatewayError('INVALID_INPUT', message, {
      field: 'image',
      limit: MAX_PIXELS,
      unit: 'pixels',
      hint: 'Scale the image down; 4000 px on the long side is enough for a hall.',
    });
  }
}

/** @param stored size of the stored pixels, which the orientation may swap. */
function planImage(type: PlanImage['type'], stored: PlanImageSize, exif: Buffer | undefined): PlanImage {
  const orientation = exif ? exifOrientation(exif) : 1;
  const { width, height } = stored;
  const size = isTransposed(orientation) ? { width: height, height: width } : { width, height };
  return { type, ...size, orientation };
}

/** Reads a PNG (W3C PNG, 5.3 and 5.6): chunks with CRCs from IHDR with the size to IEND; eXIf precedes IDAT. */
function readPng(bytes: Buffer): PlanImage | undefined {
  if (bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  let size: PlanImageSize | undefined;
  let exif: Buffer | undefined;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const body = bytes.subarray(at + 4, end - 4);
    if (crc32(body) !== bytes.readUInt32BE(end - 4)) return undefined;
    const name = body.toString('latin1', 0, 4);
    if (name === 'IHDR' && body.length === 17)
      size = { width: body.readUInt32BE(4), height: body.readUInt32BE(8) };
    else if (name === 'eXIf' && !hasPixels) exif = body.subarray(4);
    else if (name === 'IDAT') hasPixels = true;
    else if (name === 'IEND') return size && hasPixels ? planImage('image/png', size, exif) : undefined;
    at = end;
  }
  return undefined;
}

/** Reads a WebP (RFC 9649): a RIFF container with the declared length and a VP8, VP8L or VP8X chunk. */
function readWebp(bytes: Buffer): PlanImage | undefined {
  const tag = (at: number): string => bytes.toString('latin1', at, at + 4);
  if (bytes.length < 30 || tag(0) !== 'RIFF' || tag(8) !== 'WEBP') return undefined;
  const end = bytes.readUInt32LE(4) + 8;
  if (end > bytes.length) return undefined;
  const webp = (width: number, height: number, exif?: Buffer): PlanImage =>
    planImage('image/webp', { width, height }, exif);
  switch (tag(12)) {
    case 'VP8 ':
      return webp(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return webp((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return webp(
        bytes.readUIntLE(24, 3) + 1,
        bytes.readUIntLE(27, 3) + 1,
        webpExif(bytes.subarray(12, end)),
      );
    default:
      return undefined;
  }
}

/** Chunks are padded to an even length. */
function webpExif(chunks: Buffer): Buffer | undefined {
  for (let at = 0; at + 8 <= chunks.length; ) {
    const end = at + 8 + chunks.readUInt32LE(at + 4);
    if (chunks.toString('latin1', at, at + 4) === 'EXIF') return chunks.subarray(at + 8, end);
    at = end + (end % 2);
  }
  return undefined;
}

/**
 * Reads a JPEG (ITU-T T.81, B.1 and B.2): segments from SOI to SOS, among them the frame header with the size; then
 * EOI.
 */
function readJpeg(bytes: Buffer): PlanImage | undefined {
  if (bytes.length < 20 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let size: PlanImageSize | undefined;
  let exif: Buffer | undefined;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // Only an EOI after SOS ends the image, because a thumbnail before SOS has its own EOI.
    if (marker === SOS) {
      const isComplete = bytes.lastIndexOf(EOI) > at;
      return size && isComplete ? planImage('image/jpeg', size, exif) : undefined;
    }
    if (isFrame(marker)) size = { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (marker === APP1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0') {
      exif ??= bytes.subarray(at + 4, at + 2 + bytes.readUInt16BE(at + 2));
    }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

const SOS = 0xda;
const APP1 = 0xe1;
const EOI = Buffer.from([0xff, 0xd9]);

/** The codes of DHT, JPG and DAC are between SOF0 and SOF15, but are not frame headers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
