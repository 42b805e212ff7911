/** Segments that the camera programs write besides the image. */

const MAX_COMMENT_BYTES = 65_000;

/** Inserts JPEG comments after the SOI marker until the image reaches `minBytes`. */
export function padded(image: Buffer, minBytes: number): Buffer {
  const parts = [image.subarray(0, 2)];
  for (let missing = minBytes - image.length; missing > 4; missing -= MAX_COMMENT_BYTES + 4) {
    const length = Math.min(missing - 4, MAX_COMMENT_BYTES);
    parts.push(commentOf(Buffer.alloc(length, 32)));
  }
  return Buffer.concat([...parts, image.subarray(2)]);
}

/** Returns a comment segment. `bytes` must contain at most 65,533 bytes. */
export function commentOf(bytes: Uint8Array): Buffer {
  const length = bytes.length + 2;
  return Buffer.concat([Buffer.from([0xff, 0xfe, length >> 8, length & 255]), bytes]);
}

/** Inserts an EXIF thumbnail, which the second TIFF directory describes (EXIF 2.32, 4.5). */
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

/** Returns a TIFF directory entry. A SHORT value is in the upper half of the value field. */
function entry(tag: number, type: number, value: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(tag, 0);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt32BE(1, 4);
  bytes.writeUInt32BE(value, 8);
  return bytes;
}
