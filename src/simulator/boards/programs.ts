import type { ControllerContext, ControllerProgram } from '../controller/context.js';
import type { ControllerBoot } from '../controller/dialects.js';
import { Firmware } from '../controller/firmware.js';
import { OpenLoopProgram } from './open-loop-program.js';
import { RoboclawPort, SabertoothPort } from './packet-boards.js';

/** Gateway drivers that have a simulated controller. */
export const PROGRAMS = ['cgw1', 'json-lines', 'roboclaw', 'sabertooth'] as const;

export type BoardProgramName = (typeof PROGRAMS)[number];

export function isProgramName(text: string): text is BoardProgramName {
  return (PROGRAMS as readonly string[]).includes(text);
}

export function createProgram(
  name: BoardProgramName,
  context: ControllerContext,
  boot: ControllerBoot,
): ControllerProgram {
  switch (name) {
    case 'roboclaw':
      return new OpenLoopProgram(context, (program) => new RoboclawPort(context, program));
    case 'sabertooth':
      return new OpenLoopProgram(context, (program) => new SabertoothPort(program));
    default:
      return new Firmware(context, boot, name);
  }
}
