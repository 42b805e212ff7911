/**
 * Puts a small picture into the EXIF part of a JPEG, where rpicam-still puts one (EXIF 2.32, 4.5): two directories of a
 * TIFF, the first one empty, the second with the thumbnail's kind, place and length.
 */
export function withThumbnail(image: Buffer, thumbnail: Buffer): Buffer {
  const first = Buffer.from([0, 0, 0, 0, 0, 14]);
  const directory = 2 + 3 * 12 + 4;
  const entries = [
    entry(0x0103, SHORT, 6 << 16),
    entry(0x0201, LONG, 14 + directory),
    entry(0x0202, LONG, thumbnail.length),
  ];
  const second = [Buffer.from([0, entries.length]), ...entries, Buffer.alloc(4)];
  const tiff = [Buffer.from('MM\0*\0\0\0\x08'), first, ...second, thumbnail];
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 0]), Buffer.from('Exif\0\0'), ...tiff]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return Buffer.concat([image.subarray(0, 2), segment, image.subarray(2)]);
}

const SHORT = 3;
const LONG = 4;

/** One value of a directory; a short one stands in the upper half of its four bytes. */
function entry(tag: number, type: number, value: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(tag, 0);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt32BE(1, 4);
  bytes.writeUInt32BE(value, 8);
  return bytes;
}
