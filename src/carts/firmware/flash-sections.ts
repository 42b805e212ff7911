import type { Board } from '../../shared/ports/serial.js';
import { type FirmwareProgram, formatHex, parseHex } from './intel-hex.js';

/** Flash memory of each board: the size of a page, and the space below the boot loader, in bytes. */
const MEMORY: Record<Board, { page: number; space: number }> = {
  uno: { page: 128, space: 0x7e00 },
  'nano-old': { page: 128, space: 0x7800 },
  mega: { page: 256, space: 0x3e000 },
};

/** `cli` and `rjmp .`, which disable interrupts and loop forever, so every pin stays an input. */
const STOP_CODE = [0xf8, 0x94, 0xff, 0xcf];

export interface FirmwareSection {
  hex: string;
  bytes: number;
}

/**
 * Divides a program into sections that must be written in this order: a first page that does nothing, then
 * the program except its first page, and finally its first page, which contains the reset vector. If the
 * update is interrupted, the controller contains the complete old program, a program that does nothing, or
 * the complete new program, and never runs a mixture of both. Throws an error if the file is not a program
 * for the board.
 */
export function sectionsOf(hexFile: string, board: Board): FirmwareSection[] {
  const { page, space } = MEMORY[board];
  const { start, bytes } = parseHex(hexFile);
  if (start !== 0 || bytes.length <= page) throw new Error('the program does not begin at address 0');
  if (bytes.length > space) throw new Error(`the program is longer than ${space} bytes`);
  const halt = Buffer.alloc(page, 0xff);
  halt.set(STOP_CODE);
  const programs: FirmwareProgram[] = [
    { start: 0, bytes: halt },
    { start: page, bytes: bytes.subarray(page) },
    { start: 0, bytes: bytes.subarray(0, page) },
  ];
  return programs.map((program) => ({ hex: formatHex(program), bytes: program.bytes.length }));
}
