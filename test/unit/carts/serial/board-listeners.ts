/**
 * What a board understands of bytes on its line, written from the makers' descriptions and from nothing of the gateway:
 * RoboClaw user manual, chapter "Packet Serial" (address, command, data, CRC16 with start value 0, high byte first), and
 * Sabertooth 2x12 user guide, page 15 (address, command, data, sum of the three in seven bits).
 */
export interface Heard {
  address: number;
  command: number;
  /** Missing in a question. */
  value?: number;
}

const ROBOCLAW_QUESTIONS = [15, 21, 24, 82, 90];

/** The CRC bit by bit, as the manual spells it out. */
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

/** Throws at the first byte that a RoboClaw would not understand. */
export function roboclawHears(bytes: Iterable<number>): Heard[] {
  const heard: Heard[] = [];
  const rest = [...bytes];
  while (rest.length > 0) {
    const [address = 0, command = 0] = rest;
    if (address < 0x80 || address > 0x87) throw new Error(`${address} is no address`);
    if (ROBOCLAW_QUESTIONS.includes(command)) {
      rest.splice(0, 2);
      heard.push({ address, command });
      continue;
    }
    const [, , value = 0, high = 0, low = 0] = rest;
    if (crcByBits([address, command, value]) !== high * 256 + low) throw new Error('a wrong CRC');
    rest.splice(0, 5);
    heard.push({ address, command, value });
  }
  return heard;
}

/** Throws at the first byte that a Sabertooth would not understand; the bauding character is none of its packets. */
export function sabertoothHears(bytes: Iterable<number>): Heard[] {
  const heard: Heard[] = [];
  const rest = [...bytes].filter((byte) => byte !== 170);
  while (rest.length > 0) {
    const [address = 0, command = 0, value = 0, sum = 0] = rest.splice(0, 4);
    if (address < 128 || address > 135) throw new Error(`${address} is no address`);
    if ([command, value, sum].some((byte) => byte > 127))
      throw new Error('a byte that looks like an address');
    if ((address + command + value) % 128 !== sum) throw new Error('a wrong sum');
    heard.push({ address, command, value });
  }
  return heard;
}
