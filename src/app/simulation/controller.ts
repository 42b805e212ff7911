import { simulatedOpener } from '../../adapters/serialport/mock.js';
import { serialOpener } from '../../adapters/serialport/serialport.js';
import { type Cart, type SimulatorControls, safetyMessage } from '../../carts/index.js';
import type { Settings } from '../../settings/index.js';
import { conditionActor } from '../../shared/actor.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { ByteLinkOpener } from '../../shared/ports/serial.js';
import { CAMERA_FAULT_VERBS, isCameraFaultVerb } from '../../simulator/camera/faults.js';
import type { CameraScene, ScenePose } from '../../simulator/camera/scene.js';
import { SimulatedController } from '../../simulator/controller/controller.js';
import { FAULT_VERBS, isFaultVerb } from '../../simulator/controller/faults.js';
import { devicePath, type Machine } from '../pins/hardware.js';
import type { Pins } from '../pins/pins.js';

export interface Simulation {
  controller: SimulatedController;
  opener: ReturnType<typeof simulatedOpener>;
}

/** @param name unique within this process. */
export function simulate(
  name: string,
  dialect: Settings['serial']['driver'],
  clock: Clock,
  start: Partial<ScenePose> = {},
): Simulation {
  const controller = new SimulatedController({ clock, dialect, protectiveField: true, physics: start });
  return { controller, opener: simulatedOpener({ path: `simulated/${name}`, device: controller }) };
}

export function realOpener({ serial }: Settings, machine: Machine, log: Log): ByteLinkOpener | undefined {
  const path = devicePath(serial.path, machine);
  return path === undefined ? undefined : serialOpener({ path, baudRate: serial.baudRate, log });
}

export interface SimulatedModules {
  line: { simulation: Simulation; isSimulated: boolean };
  pins: Pins;
  ownCart: { cart: Cart };
  scene: CameraScene;
}

export function simulatorControls({ line, pins, ownCart, scene }: SimulatedModules): SimulatorControls {
  const { controller, opener } = line.simulation;
  return {
    faults: [...FAULT_VERBS, ...CAMERA_FAULT_VERBS],
    fault: (verb, on, argument) => {
      if (isFaultVerb(verb)) controller.fault(verb, on, argument);
      else if (isCameraFaultVerb(verb)) scene.faults.set(verb, on, argument);
    },
    walls: (walls) => controller.setWalls(walls),
    markers: (markers) => {
      scene.markers = markers;
    },
    button: (pressed) => (pressed ? pins.press?.() : pins.release?.()),
    plug: (connected) => (connected ? opener.replug() : opener.unplug()),
    resetHere: () => ownCart.cart.estop.reset(conditionActor('input', safetyMessage('reset-button')), true),
    snapshot: () => {
      const { markers } = scene.state();
      const snapshot = controller.snapshot();
      return { ...snapshot, faults: [...snapshot.faults, ...scene.faults.list()], markers };
    },
  };
}
