import type { Orientation } from './orientation.js';

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const TIFF_MAGIC = 42;
const ENTRY_BYTES = 12;
const PREFIX = 'Exif\0\0';

/** Returns 1 if the EXIF data contains no valid orientation. Some programs add a prefix to the data. */
export function exifOrientation(exif: Buffer): Orientation {
  const tiff = exif.toString('latin1', 0, PREFIX.length) === PREFIX ? exif.subarray(PREFIX.length) : exif;
  try {
    return orientationIn(tiff);
  } catch (error) {
    if (error instanceof RangeError) return 1; // An offset is outside the data.
    throw error;
  }
}

function orientationIn(tiff: Buffer): Orientation {
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const u16 = (at: number): number => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number): number => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  if (u16(2) !== TIFF_MAGIC) return 1;
  const directory = u32(4);
  for (let nth = 0; nth < u16(directory); nth += 1) {
    const entry = directory + 2 + nth * ENTRY_BYTES;
    if (u16(entry) !== ORIENTATION_TAG) continue;
    const value = u16(entry + 8);
    return u16(entry + 2) === SHORT && isOrientation(value) ? value : 1;
  }
  return 1;
}

function isOrientation(value: number): value is Orientation {
  return value >= 1 && value <= 8;
}
