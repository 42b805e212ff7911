import { simulatedOpener } from '../../adapters/serialport/mock.js';
import { serialOpener } from '../../adapters/serialport/serialport.js';
import type { Settings } from '../../settings/schema/schema.js';
import type { ByteLinkOpener, Clock, Log } from '../../shared/ports/ports.js';
import { SimulatedController } from '../../simulator/controller/controller.js';
import { devicePath, type Machine } from '../pins/hardware.js';

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
