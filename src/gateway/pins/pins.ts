import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { motorsOffByGpiod, openGpiodPins } from '../../adapters/gpio/gpiod.js';
import {
  motorsOffByOnoff,
  type OnoffDeps,
  type OnoffKernel,
  openOnoffPins,
} from '../../adapters/gpio/onoff.js';
import { type SimulatedPins, simulatedPins } from '../../adapters/gpio/simulated.js';
import { SYSFS_GPIO } from '../../adapters/gpio/sysfs.js';
import { pinsOff, unavailablePins } from '../../adapters/gpio/unavailable.js';
import type { Settings } from '../../settings/schema/schema.js';
import { errorText, hintOf } from '../../shared/errors.js';
import { fileErrorReason } from '../../shared/files.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { runtimeDirectory } from '../../shared/process-environment.js';
import type { Machine } from './hardware.js';

/** The pins, and the hands that press the button where they are simulated. */
export type Pins = SafetyPins & Partial<Pick<SimulatedPins, 'press' | 'release'>>;

/**
 * The pins that the settings ask for. On a Pi they are never simulated: what cannot be used refuses to move, with the
 * reason, and the rest of the gateway works.
 */
export async function openPins({ gpio }: Settings, machine: Machine, deps: OnoffDeps): Promise<Pins> {
  if (gpio.mode === 'off') return pinsOff();
  if (!areReal(gpio, machine)) return simulatedPins();
  const isSysfs = hasSysfs(deps);
  try {
    const pins = await (isSysfs ? openOnoffPins(gpio, deps) : openGpiodPins(gpio, deps));
    deps.log.info('pins.opened', { kind: pins.kind });
    return pins;
  } catch (error) {
    const [reason, hint] = [errorText(error), hintOf(error)];
    deps.log.error('pins.open_failed', { reason, hint });
    return unavailablePins({ kind: isSysfs ? 'onoff' : 'gpiod', reason, ...(hint ? { hint } : {}) });
  }
}

/**
 * Switches the motors off where there is a pin for it, and touches no other: for when no gateway runs. Rejects
 * `SAFETY_UNAVAILABLE` when it cannot.
 */
export async function switchMotorsOff(
  { gpio }: Settings,
  machine: Machine,
  kernel: OnoffKernel = {},
): Promise<void> {
  if (!areReal(gpio, machine)) return;
  await (hasSysfs(kernel) ? motorsOffByOnoff(gpio, kernel) : motorsOffByGpiod(gpio));
}

function areReal({ mode }: Settings['gpio'], { isRaspberryPi }: Machine): boolean {
  return mode === 'required' || (mode === 'auto' && isRaspberryPi);
}

/** Newer kernels can be built without it. */
function hasSysfs({ root = SYSFS_GPIO }: OnoffKernel): boolean {
  return existsSync(join(root, 'export'));
}

/** Where the gateway notes the pins that it uses; undefined where no directory goes when it does. */
export function gpioNote(env: NodeJS.ProcessEnv): string | undefined {
  const directory = runtimeDirectory(env);
  return directory && join(directory, 'gpio.json');
}

/**
 * Notes the pins in use for whoever switches the motors off when this process no longer can: the settings may name others
 * by then, which are not taken before the next start. It is written before anything moves, and waits for no disk. One
 * that cannot be written stops nobody, since there are still the settings to go by.
 */
export function noteGpio(gpio: Settings['gpio'], log: Log, env: NodeJS.ProcessEnv = process.env): void {
  const file = gpioNote(env);
  if (file === undefined) return;
  try {
    writeFileSync(file, JSON.stringify({ gpio }));
  } catch (error) {
    log.warn('pins.note_failed', { file, reason: fileErrorReason(error) });
  }
}
