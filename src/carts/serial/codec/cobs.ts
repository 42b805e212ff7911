/**
 * Consistent Overhead Byte Stuffing: every zero is replaced by the distance to the next one, so that 0x00 can
 * mark the end of a frame. The result holds no zero and no delimiter; it is 1 byte longer for each 254 begun.
 */
export function cobsEncode(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + Math.floor(bytes.length / 254) + 1);
  let codeAt = 0;
  let at = 1;
  for (const [index, byte] of bytes.entries()) {
    if (byte !== 0) out[at++] = byte;
    // A full block stands for 254 bytes without a zero; at the end of the data it needs no successor.
    const full = at - codeAt === 255 && index < bytes.length - 1;
    if (byte !== 0 && !full) continue;
    out[codeAt] = at - codeAt;
    codeAt = at++;
  }
  out[codeAt] = at - codeAt;
  return out.subarray(0, at);
}

/** The bytes that `cobsEncode` was given, or undefined when `bytes` (without the delimiter) is not its output. */
export function cobsDecode(bytes: Uint8Array): Uint8Array | undefined {
  const copy = Uint8Array.from(bytes);
  const length = cobsDecodeInPlace(copy, copy.length);
  return length < 0 ? undefined : copy.subarray(0, length);
}

/**
 * Decodes the first `length` bytes of `buffer` onto itself (the result is always shorter) and answers the decoded
 * length, or -1 when a block reaches past the end or holds a zero.
 */
export function cobsDecodeInPlace(buffer: Uint8Array, length: number): number {
  let from = 0;
  let to = 0;
  while (from < length) {
    const code = buffer[from++] ?? 0;
    const end = from + code - 1;
    if (code === 0 || end > length) return -1;
    while (from < end) {
      const byte = buffer[from++] ?? 0;
      if (byte === 0) return -1;
      buffer[to++] = byte;
    }
    if (code < 255 && from < length) buffer[to++] = 0;
  }
  return to;
}
