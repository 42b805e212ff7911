/**
 * Consistent Overhead Byte Stuffing: replaces every zero byte with the distance to the next zero byte, so
 * that 0x00 can delimit frames. Does not append the delimiter. Overhead: 1 byte per 254 bytes or part
 * thereof.
 */
export function cobsEncode(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + Math.floor(bytes.length / 254) + 1);
  let codeAt = 0;
  let at = 1;
  for (const [index, byte] of bytes.entries()) {
    if (byte !== 0) out[at++] = byte;
    // A full block has 254 non-zero bytes; if a full block ends the data, no further block follows.
    const full = at - codeAt === 255 && index < bytes.length - 1;
    if (byte !== 0 && !full) continue;
    out[codeAt] = at - codeAt;
    codeAt = at++;
  }
  out[codeAt] = at - codeAt;
  return out.subarray(0, at);
}

/** `bytes` must not include the delimiter. Returns undefined if `bytes` is not valid COBS. */
export function cobsDecode(bytes: Uint8Array): Uint8Array | undefined {
  const copy = Uint8Array.from(bytes);
  const length = cobsDecodeInPlace(copy, copy.length);
  return length < 0 ? undefined : copy.subarray(0, length);
}

/** Decodes the first `length` bytes; returns the decoded length, or -1 if a block is invalid. */
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
