import type { ControllerContext, Program } from '../controller/context.js';
import type { Boot } from '../controller/dialects.js';
import { Firmware } from '../controller/firmware.js';
import { SpeedProgram } from './open-loop-program.js';
import { RoboclawPort, SabertoothPort } from './packet-boards.js';

/** What a simulated controller can be: the drivers of the gateway. */
export const PROGRAMS = ['cgw1', 'json-lines', 'roboclaw', 'sabertooth'] as const;

export type ProgramName = (typeof PROGRAMS)[number];

/** Whether `text` names a program. */
export function isProgramName(text: string): text is ProgramName {
  return (PROGRAMS as readonly string[]).includes(text);
}

/** Starts a program anew: no half frame, no motion, no setting from before. */
export function createProgram(name: ProgramName, world: ControllerContext, boot: Boot): Program {
  switch (name) {
    case 'roboclaw':
      return new SpeedProgram(world, (program) => new RoboclawPort(world, program));
    case 'sabertooth':
      return new SpeedProgram(world, (program) => new SabertoothPort(program));
    default:
      return new Firmware(world, boot, name);
  }
}
