import { crc16Xmodem } from './crc.js';

/** RoboClaw packet serial: big-endian, CRC with initial value 0. Source: RoboClaw user manual, BasicMicro. */

/** Reply to a valid write; the board does not reply to an invalid packet. */
export const ACK = 0xff;

/** If the gap between two bytes is longer than this, the board drops the packet. */
export const PACKET_GAP_MS = 10;

/** `address` is 0x80…0x87; `command` and `value` are one byte each. */
export function roboclawWrite(address: number, command: number, value: number): Uint8Array {
  const packet = Uint8Array.of(address, command, value, 0, 0);
  new DataView(packet.buffer).setUint16(3, crc16Xmodem(packet.subarray(0, 3)));
  return packet;
}

/** Returns a read packet, which has no CRC; the CRC of the reply covers the packet. */
export function roboclawRead(address: number, command: number): Uint8Array {
  return Uint8Array.of(address, command);
}

export interface ReadCommand {
  command: number;
  accepts: (data: Uint8Array) => boolean;
  maxBytes: number;
}

const sized = (command: number, ...lengths: number[]): ReadCommand => ({
  command,
  accepts: ({ length }) => lengths.includes(length),
  maxBytes: Math.max(...lengths),
});

/** Serial timeout, in units of 100 ms. */
export const READ_TIMEOUT = sized(15, 1);
/** Main battery voltage, in units of 0.1 V. */
export const READ_BATTERY = sized(24, 2);
/** Board temperature, signed, in units of 0.1 °C. */
export const READ_TEMPERATURE = sized(82, 2);
/**
 * The status word has two bytes in older firmware and four in newer firmware; the CRC distinguishes the formats.
 */
export const READ_STATUS = sized(90, 2, 4);
/** Firmware version, as a string that ends with LF and 0. */
export const READ_VERSION: ReadCommand = { command: 21, accepts: (data) => data.at(-1) === 0, maxBytes: 48 };

/** Returns undefined for an incomplete or invalid reply. The CRC covers address, command and data. */
export function parseRoboclawReply(
  address: number,
  { command, accepts }: ReadCommand,
  received: Uint8Array,
): Uint8Array | undefined {
  const length = received.length - 2;
  if (length < 1) return undefined;
  const data = received.slice(0, length);
  if (!accepts(data)) return undefined;
  const view = new DataView(received.buffer, received.byteOffset);
  const isValid = crc16Xmodem(Uint8Array.of(address, command, ...data)) === view.getUint16(length);
  return isValid ? data : undefined;
}

/** If an E-stop or error bit is set, the board stops the motors (command 90, both editions of the manual). */
type Bit = readonly [name: string, severity: 'estop' | 'error' | 'warning'];

/** Status bits of older firmware (16 bits), from bit 0. The two highest bits indicate a home switch. */
const SHORT: readonly (Bit | undefined)[] = [
  ['overcurrentM1', 'warning'],
  ['overcurrentM2', 'warning'],
  ['estop', 'estop'],
  ['overtempBoard', 'error'],
  ['overtempBoard2', 'error'],
  ['mainVoltageHigh', 'error'],
  ['logicVoltageHigh', 'error'],
  ['logicVoltageLow', 'error'],
  ['driverFaultM1', 'error'],
  ['driverFaultM2', 'error'],
  ['mainVoltageHigh', 'warning'],
  ['undervolt', 'warning'],
  ['warmBoard', 'warning'],
  ['warmBoard2', 'warning'],
];

/** Status bits of newer firmware (32 bits), from bit 0. */
const LONG: readonly (Bit | undefined)[] = [
  ['estop', 'estop'],
  ['overtempBoard', 'error'],
  ['overtempBoard2', 'error'],
  ['mainVoltageHigh', 'error'],
  ['logicVoltageHigh', 'error'],
  ['logicVoltageLow', 'error'],
  ['driverFaultM1', 'error'],
  ['driverFaultM2', 'error'],
  ['speedErrorM1', 'error'],
  ['speedErrorM2', 'error'],
  ['positionErrorM1', 'error'],
  ['positionErrorM2', 'error'],
  ['currentErrorM1', 'error'],
  ['currentErrorM2', 'error'],
  undefined,
  undefined,
  ['overcurrentM1', 'warning'],
  ['overcurrentM2', 'warning'],
  ['mainVoltageHigh', 'warning'],
  ['undervolt', 'warning'],
  ['warmBoard', 'warning'],
  ['warmBoard2', 'warning'],
];

interface StatusFlags {
  estop: boolean;
  errors: string[];
  warnings: string[];
}

export function roboclawStatus(data: Uint8Array): StatusFlags {
  const bits = data.length === 2 ? SHORT : LONG;
  const word = data.reduce((sum, byte) => sum * 256 + byte, 0);
  const set = bits.filter((bit, at): bit is Bit => bit !== undefined && Math.floor(word / 2 ** at) % 2 === 1);
  const named = (wanted: Bit[1]): string[] =>
    set.filter(([, severity]) => severity === wanted).map(([name]) => name);
  return { estop: named('estop').length > 0, errors: named('error'), warnings: named('warning') };
}
