import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { motorsOffByGpiod, openGpiodPins } from '../../adapters/gpio/gpiod.js';
import { pinsOff } from '../../adapters/gpio/off.js';
import {
  motorsOffByOnoff,
  type OnoffDeps,
  type OnoffKernel,
  openOnoffPins,
} from '../../adapters/gpio/onoff.js';
import { type SimulatedPins, simulatedPins } from '../../adapters/gpio/simulated.js';
import { SYSFS_GPIO } from '../../adapters/gpio/sysfs.js';
import { unavailablePins } from '../../adapters/gpio/unavailable.js';
import type { Settings } from '../../settings/schema/schema.js';
import { hintOf, messageOf } from '../../shared/errors.js';
import type { SafetyPins } from '../../shared/ports/ports.js';
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
    const [reason, hint] = [messageOf(error), hintOf(error)];
    deps.log.error('pins.unavailable', { reason, hint });
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
