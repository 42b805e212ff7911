import type { ByteLinkOpener } from '../../shared/ports/serial.js';
import { type BlackBox, recordingOpener } from '../../system/index.js';
import type { AppContext } from '../context.js';
import { realOpener, type Simulation, simulate } from '../simulation/controller.js';

/** The serial line to the motor controller, which is simulated if no device is configured. */
export interface ControllerLine {
  simulation: Simulation;
  /** True if the motor controller was simulated at startup. */
  isSimulated: boolean;
  opener(): ByteLinkOpener;
  /** Applies changed serial settings to the next session. */
  choose(): void;
}

export function openLine(
  { clock, log, machine, settings }: AppContext,
  { blackBox }: { blackBox: BlackBox },
): ControllerLine {
  const simulation = simulate('cart-own', settings.current.serial.driver, clock);
  const shape = () => simulation.controller.setOutline(settings.current.kinematics.footprint);
  shape();
  const chosen = () =>
    recordingOpener(realOpener(settings.current, machine, log) ?? simulation.opener, blackBox);
  let opener = chosen();
  return {
    simulation,
    isSimulated: opener.simulated,
    opener: () => opener,
    choose() {
      shape();
      simulation.controller.load(settings.current.serial.driver);
      opener = chosen();
    },
  };
}
