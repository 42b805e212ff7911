const TABLE = new Uint16Array(256).map((_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/**
 * Returns the CRC-16/CCITT-FALSE of `bytes[start..end)`: polynomial 0x1021, initial value 0xFFFF, not reflected, no
 * final XOR. Check value: "123456789" gives 0x29B1.
 */
export function crc16(bytes: Uint8Array, start = 0, end = bytes.length): number {
  return crcFrom(0xffff, bytes, start, end);
}

/** Returns the CRC-16/XMODEM, as used by RoboClaw: initial value 0. Check value: "123456789" gives 0x31C3. */
export function crc16Xmodem(bytes: Uint8Array): number {
  return crcFrom(0, bytes, 0, bytes.length);
}

function crcFrom(initial: number, bytes: Uint8Array, start: number, end: number): number {
  let crc = initial;
  for (let at = start; at < end; at++) {
    crc = ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0);
  }
  return crc;
}
