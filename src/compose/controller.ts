import { pinsOff } from '../adapters/pins-off.js';
import { simulatedPins } from '../adapters/pins-simulated.js';
import { unavailablePins } from '../adapters/pins-unavailable.js';
import { serialOpener } from '../adapters/serial.js';
import { simulatedOpener } from '../adapters/serial-mock.js';
import type { ByteLinkOpener, Clock, Log, SafetyPins } from '../ports.js';
import type { Settings } from '../settings/schema.js';
import { SimulatedController } from '../simulator/controller.js';
import { devicePath, type Machine } from './hardware.js';

/** The simulated controller of a cart, with its plug and its button. */
export interface Simulation {
  controller: SimulatedController;
  opener: ReturnType<typeof simulatedOpener>;
}

/** A simulated controller on a simulated port; `name` tells the ports of one process apart. */
export function simulate(name: string, dialect: Settings['serial']['driver'], clock: Clock): Simulation {
  const controller = new SimulatedController({ clock, dialect });
  return { controller, opener: simulatedOpener({ path: `simulated/${name}`, device: controller }) };
}

/** The way to the controller that the settings name: a device, or undefined when it is to be simulated. */
export function realOpener({ serial }: Settings, machine: Machine, log: Log): ByteLinkOpener | undefined {
  const path = devicePath(serial.path, machine);
  return path === undefined ? undefined : serialOpener({ path, baudRate: serial.baudRate, log });
}

export type Pins = SafetyPins & Partial<Pick<ReturnType<typeof simulatedPins>, 'press' | 'release'>>;

/**
 * The pins that the settings ask for. On a Pi they are never simulated; while this version has no driver for real
 * ones, it says so and refuses to move rather than pretend to watch a button.
 */
export function openPins({ gpio }: Settings, { isRaspberryPi }: Machine): Pins {
  if (gpio.mode === 'off') return pinsOff();
  if (gpio.mode === 'auto' && !isRaspberryPi) return simulatedPins();
  return unavailablePins({
    kind: 'onoff',
    reason: 'this version of the gateway has no driver for real pins',
  });
}
