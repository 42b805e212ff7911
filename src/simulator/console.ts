import type { SimulatedController } from './controller/controller.js';
import { FAULT_VERBS, isFaultVerb } from './controller/faults.js';

export const CONSOLE_HELP = [
  'state                        print the full state',
  "estop press | estop release  press or release the controller's E-stop button",
  'estop reset                  press the reset button on the cart',
  'power on | power off         switch the power supply on or off',
  'reset                        restart the controller',
  `<fault> on [number] | <fault> off   ${FAULT_VERBS.filter((verb) => verb !== 'reset').join(', ')}`,
];

/** Executes a console line (see CONSOLE_HELP). Returns the resulting snapshot, or an object with `error`. */
export function executeLine(controller: SimulatedController, line: string): Record<string, unknown> {
  const [verb = '', mode = '', argument] = line.trim().split(/\s+/);
  const error = execute(controller, verb, mode, argument);
  return error === undefined ? { ...controller.snapshot() } : { error, help: CONSOLE_HELP };
}

function execute(
  controller: SimulatedController,
  verb: string,
  mode: string,
  argument: string | undefined,
): string | undefined {
  const command = `${verb} ${mode}`.trim();
  switch (command) {
    case 'state':
      return undefined;
    case 'reset':
    case 'reset on':
      return void controller.reset();
    case 'estop press':
      return void controller.pressEstop();
    case 'estop release':
      return void controller.releaseEstop();
    case 'estop reset':
      return void controller.pressReset();
    case 'power on':
    case 'power off':
      return void controller.power(mode === 'on');
    default:
      return setFault(controller, verb, mode, argument);
  }
}

function setFault(
  controller: SimulatedController,
  verb: string,
  mode: string,
  argument: string | undefined,
): string | undefined {
  if (!isFaultVerb(verb)) return `unknown command "${verb}"`;
  if (mode !== 'on' && mode !== 'off') return `"${verb}" requires on or off`;
  const number = argument === undefined ? undefined : Number(argument);
  if (Number.isNaN(number)) return `"${argument}" is not a number`;
  controller.fault(verb, mode === 'on', number);
  return undefined;
}
