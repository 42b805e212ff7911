import type { SimulatedController } from './controller/controller.js';
import { FAULT_VERBS, isFaultVerb } from './controller/faults.js';

/** What can be typed, for people. */
export const CONSOLE_HELP = [
  'state                        print everything that is known',
  'estop press | estop release  the button that is wired to the controller',
  'estop reset                  the reset button on the cart',
  'power on | power off         the supply',
  'reset                        start anew',
  `<fault> on [number] | <fault> off   ${FAULT_VERBS.filter((verb) => verb !== 'reset').join(', ')}`,
];

/**
 * Does what a line typed by a person or a script says: see CONSOLE_HELP. Answers an object for people: the snapshot
 * after it, or `error` with the reason why nothing was done.
 */
export function obeyLine(controller: SimulatedController, line: string): Record<string, unknown> {
  const [word = '', how = '', argument] = line.trim().split(/\s+/);
  const error = turn(controller, word, how, argument);
  return error === undefined ? { ...controller.snapshot() } : { error, help: CONSOLE_HELP };
}

/** Why nothing was done; undefined when it was. */
function turn(
  controller: SimulatedController,
  word: string,
  how: string,
  argument: string | undefined,
): string | undefined {
  const command = `${word} ${how}`.trim();
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
      return void controller.power(how === 'on');
    default:
      return fault(controller, word, how, argument);
  }
}

function fault(
  controller: SimulatedController,
  verb: string,
  how: string,
  argument: string | undefined,
): string | undefined {
  if (!isFaultVerb(verb)) return `there is no command "${verb}"`;
  if (how !== 'on' && how !== 'off') return `"${verb}" needs on or off`;
  const number = argument === undefined ? undefined : Number(argument);
  if (Number.isNaN(number)) return `"${argument}" is no number`;
  controller.fault(verb, how === 'on', number);
  return undefined;
}
