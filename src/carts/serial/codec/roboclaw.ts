import { crc16Xmodem } from './crc.js';

/** RoboClaw packet serial: big-endian, checked by a CRC with start value 0. Source: RoboClaw user manual, BasicMicro. */

/** What the board answers to a write that it takes; a packet that it does not understand gets no answer at all. */
export const ACK = 0xff;

/** Bytes of one packet that come further apart than this are thrown away by the board, ms. */
export const PACKET_GAP_MS = 10;

/** `address` 0x80…0x87, `command` and `value` one byte each. */
export function roboclawWrite(address: number, command: number, value: number): Uint8Array {
  const packet = Uint8Array.of(address, command, value, 0, 0);
  new DataView(packet.buffer).setUint16(3, crc16Xmodem(packet.subarray(0, 3)));
  return packet;
}

/** A question carries no CRC; its answer's covers it. */
export function roboclawRead(address: number, command: number): Uint8Array {
  return Uint8Array.of(address, command);
}

/** Something to ask the board, and what its answer looks like. */
export interface Question {
  command: number;
  /** Whether an answer may carry these data bytes. */
  fits: (data: Uint8Array) => boolean;
  /** The most data bytes of an answer. */
  most: number;
}

const sized = (command: number, ...lengths: number[]): Question => ({
  command,
  fits: ({ length }) => lengths.includes(length),
  most: Math.max(...lengths),
});

/** The serial timeout in units of 100 ms. */
export const READ_TIMEOUT = sized(15, 1);
/** The main battery in tenths of a volt. */
export const READ_BATTERY = sized(24, 2);
/** The board in tenths of a degree Celsius. */
export const READ_TEMPERATURE = sized(82, 2);
/** Two bytes in older firmware, four in newer: the CRC tells which. */
export const READ_STATUS = sized(90, 2, 4);
/** A text, ended by LF and 0. */
export const READ_VERSION: Question = { command: 21, fits: (data) => data.at(-1) === 0, most: 48 };

/**
 * The data bytes of an answer, once `received` is whole: the CRC covers address, command and data. Undefined while it is
 * not, or not yet.
 */
export function roboclawAnswer(
  address: number,
  question: Question,
  received: Uint8Array,
): Uint8Array | undefined {
  const length = received.length - 2;
  if (length < 1) return undefined;
  const data = received.slice(0, length);
  if (!question.fits(data)) return undefined;
  const view = new DataView(received.buffer, received.byteOffset);
  const right = crc16Xmodem(Uint8Array.of(address, question.command, ...data)) === view.getUint16(length);
  return right ? data : undefined;
}

/** The status word of a RoboClaw in words. Source: command 90 in the user manual, both editions. */

/** `ESTOP` and errors stop the motors, warnings do not. */
type Bit = readonly [name: string, gravity: 'estop' | 'error' | 'warning'];

/** Older firmware, 16 bits, from bit 0. The two highest tell that a home switch was reached. */
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

/** Newer firmware, 32 bits, from bit 0. */
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

/** What the board says of itself. */
interface BoardStatus {
  estop: boolean;
  /** Names of errors: the motors are off while there is one. */
  errors: string[];
  warnings: string[];
}

/** Reads the two or four data bytes of a status answer. */
export function roboclawStatus(data: Uint8Array): BoardStatus {
  const bits = data.length === 2 ? SHORT : LONG;
  const word = data.reduce((sum, byte) => sum * 256 + byte, 0);
  const set = bits.filter((bit, at): bit is Bit => bit !== undefined && Math.floor(word / 2 ** at) % 2 === 1);
  const named = (wanted: Bit[1]): string[] =>
    set.filter(([, gravity]) => gravity === wanted).map(([name]) => name);
  return { estop: named('estop').length > 0, errors: named('error'), warnings: named('warning') };
}
