const ENTRY_BYTES = 12;

/**
 * Adds an EXIF thumbnail as cameras do: a TIFF header, an empty first directory, and a second directory with
 * the thumbnail's offset and length.
 */
export function withThumbnail(photo: Buffer, small: Buffer, order: 'II' | 'MM'): Buffer {
  const first = 8;
  const second = first + 2 + 4;
  const at = second + 2 + 2 * ENTRY_BYTES + 4;
  const tiff = Buffer.alloc(at);
  const u16 = (value: number, to: number): unknown =>
    order === 'II' ? tiff.writeUInt16LE(value, to) : tiff.writeUInt16BE(value, to);
  const u32 = (value: number, to: number): unknown =>
    order === 'II' ? tiff.writeUInt32LE(value, to) : tiff.writeUInt32BE(value, to);
  const entry = (nth: number, tag: number, value: number): void => {
    const to = second + 2 + nth * ENTRY_BYTES;
    u16(tag, to);
    u16(4, to + 2); // LONG
    u32(1, to + 4);
    u32(value, to + 8);
  };
  tiff.write(order, 0, 'latin1');
  u16(42, 2);
  u32(first, 4);
  u32(second, first + 2);
  u16(2, second);
  entry(0, 0x0201, at);
  entry(1, 0x0202, small.length);
  const content = Buffer.concat([Buffer.from('Exif\0\0'), tiff, small]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe1, 0);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([photo.subarray(0, 2), head, content, photo.subarray(2)]);
}
