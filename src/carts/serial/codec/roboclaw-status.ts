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
