/**
 * Decoders for motor boards, written from the manuals alone, independently of the gateway's drivers: RoboClaw
 * user manual, chapter "Packet Serial" (address, command, data, CRC16 with start value 0, high byte first),
 * and Sabertooth 2x12 user guide, page 15 (address, command, data, sum of the three in seven bits).
 */
export interface DecodedPacket {
  address: number;
  command: number;
  /** Undefined if the packet is a query. */
  value?: number;
}

const ROBOCLAW_QUERIES = [15, 21, 24, 82, 90];

/** Computes the CRC bit by bit, as in the manual. */
export function crcByBits(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte * 256;
    for (let bit = 0; bit < 8; bit++) {
      const carry = crc >= 32_768;
      crc = (crc * 2) % 65_536;
      if (carry) crc ^= 0x1021;
    }
  }
  return crc;
}

/** Decodes RoboClaw packets. Throws at the first byte that a RoboClaw would reject. */
export function decodeRoboclaw(bytes: Iterable<number>): DecodedPacket[] {
  const packets: DecodedPacket[] = [];
  const rest = [...bytes];
  while (rest.length > 0) {
    const [address = 0, command = 0] = rest;
    if (address < 0x80 || address > 0x87) throw new Error(`invalid address ${address}`);
    if (ROBOCLAW_QUERIES.includes(command)) {
      rest.splice(0, 2);
      packets.push({ address, command });
      continue;
    }
    const [, , value = 0, high = 0, low = 0] = rest;
    if (crcByBits([address, command, value]) !== high * 256 + low) throw new Error('invalid CRC');
    rest.splice(0, 5);
    packets.push({ address, command, value });
  }
  return packets;
}

/**
 * Decodes Sabertooth packets and skips the bauding character. Throws at the first byte that a Sabertooth
 * would reject.
 */
export function decodeSabertooth(bytes: Iterable<number>): DecodedPacket[] {
  const packets: DecodedPacket[] = [];
  const rest = [...bytes].filter((byte) => byte !== 170);
  while (rest.length > 0) {
    const [address = 0, command = 0, value = 0, sum = 0] = rest.splice(0, 4);
    if (address < 128 || address > 135) throw new Error(`invalid address ${address}`);
    if ([command, value, sum].some((byte) => byte > 127))
      throw new Error('a byte that looks like an address');
    if ((address + command + value) % 128 !== sum) throw new Error('invalid checksum');
    packets.push({ address, command, value });
  }
  return packets;
}
