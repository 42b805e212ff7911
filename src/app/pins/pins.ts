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
import type { Settings } from '../../settings/index.js';
import { errorText, hintOf } from '../../shared/errors.js';
import { fileErrorReason } from '../../shared/files.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { runtimeDirectory } from '../../shared/process-environment.js';
import type { Machine } from './hardware.js';

/** Only simulated pins have a button that can be pressed and released. */
export type Pins = SafetyPins & Partial<Pick<SimulatedPins, 'press' | 'release'>>;

/** On a Raspberry Pi, pins are never simulated: unusable pins block motion and report the reason. */
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

/** Switches the motors off while no gateway is running. Rejects with `SAFETY_UNAVAILABLE`. */
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

/** Returns true if the kernel provides sysfs GPIO, which newer kernels may omit. */
function hasSysfs({ root = SYSFS_GPIO }: OnoffKernel): boolean {
  return existsSync(join(root, 'export'));
}

/** Returns the file that records the pins in use; undefined if there is no runtime directory. */
export function gpioNote(env: NodeJS.ProcessEnv): string | undefined {
  const directory = runtimeDirectory(env);
  return directory && join(directory, 'gpio.json');
}

/**
 * Records the pins in use for `motors-off`, because changed pin settings take effect only after a restart. If
 * recording fails, `motors-off` uses the saved settings.
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
