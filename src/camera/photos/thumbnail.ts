/** The EXIF segment comes first in a photo file and is at most 64 KiB long. */
export const EXIF_BYTES = 68 * 1024;

const SOI = 0xffd8;
const APP1 = 0xffe1;
const SOS = 0xffda;
const EXIF = 'Exif\0\0';
/** EXIF tags for the offset and length of the thumbnail's JPEG (EXIF 2.32, 4.6.8). */
const JPEG_OFFSET = 0x0201;
const JPEG_LENGTH = 0x0202;
const ENTRY_BYTES = 12;

/**
 * Returns undefined if the file contains no thumbnail or is malformed.
 * @param head the first `EXIF_BYTES` of the file, or the whole file if it is shorter.
 */
export function exifThumbnail(head: Buffer): Buffer | undefined {
  try {
    const tiff = exifOf(head);
    const jpeg = tiff && thumbnailIn(tiff);
    return jpeg && jpeg.length > 4 && jpeg.readUInt16BE(0) === SOI ? jpeg : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // An offset is outside the data.
    throw error;
  }
}

function exifOf(head: Buffer): Buffer | undefined {
  if (head.length < 4 || head.readUInt16BE(0) !== SOI) return undefined;
  for (let at = 2; at + 4 <= head.length; ) {
    const marker = head.readUInt16BE(at);
    const length = head.readUInt16BE(at + 2);
    if (marker < 0xff00 || marker === SOS || length < 2) return undefined;
    const content = head.subarray(at + 4, at + 2 + length);
    if (marker === APP1 && content.toString('latin1', 0, EXIF.length) === EXIF)
      return content.subarray(EXIF.length);
    at += 2 + length;
  }
  return undefined;
}

/** Returns the thumbnail, which the second image file directory (IFD) describes. */
function thumbnailIn(tiff: Buffer): Buffer | undefined {
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number): number => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number): number => (isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const first = u32(4);
  const second = u32(first + 2 + u16(first) * ENTRY_BYTES);
  if (second === 0) return undefined;
  const values = new Map<number, number>();
  for (let nth = 0; nth < u16(second); nth++) {
    const entry = second + 2 + nth * ENTRY_BYTES;
    values.set(u16(entry), u32(entry + 8));
  }
  const offset = values.get(JPEG_OFFSET);
  const length = values.get(JPEG_LENGTH);
  if (offset === undefined || length === undefined || offset + length > tiff.length) return undefined;
  return tiff.subarray(offset, offset + length);
}
