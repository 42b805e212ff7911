import type { ControllerContext, Program } from '../controller/context.js';
import type { Boot } from '../controller/dialects.js';
import { Firmware } from '../controller/firmware.js';
import { OpenLoopProgram } from './open-loop-program.js';
import { RoboclawPort, SabertoothPort } from './packet-boards.js';

/** Gateway drivers that have a simulated controller. */
export const PROGRAMS = ['cgw1', 'json-lines', 'roboclaw', 'sabertooth'] as const;

export type ProgramName = (typeof PROGRAMS)[number];

export function isProgramName(text: string): text is ProgramName {
  return (PROGRAMS as readonly string[]).includes(text);
}

export function createProgram(name: ProgramName, context: ControllerContext, boot: Boot): Program {
  switch (name) {
    case 'roboclaw':
      return new OpenLoopProgram(context, (program) => new RoboclawPort(context, program));
    case 'sabertooth':
      return new OpenLoopProgram(context, (program) => new SabertoothPort(program));
    default:
      return new Firmware(context, boot, name);
  }
}
