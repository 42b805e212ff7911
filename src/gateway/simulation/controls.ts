import type { Cart } from '../../carts/control/cart.js';
import type { SimulatorControls } from '../../carts/http/simulator-routes.js';
import { FAULT_VERBS, isFaultVerb } from '../../simulator/controller/faults.js';
import type { Pins } from '../pins/pins.js';
import type { Simulation } from './controller.js';

/** The simulated cart's faults, button, plug and reset, as the page and the API reach them. */
export function simulatorControls({
  simulation,
  pins,
  cart,
}: {
  simulation: Simulation;
  pins: Pins;
  cart: Cart;
}): SimulatorControls {
  const { controller, opener } = simulation;
  return {
    faults: FAULT_VERBS,
    fault: (verb, on, argument) => {
      if (isFaultVerb(verb)) controller.fault(verb, on, argument);
    },
    button: (pressed) => (pressed ? pins.press?.() : pins.release?.()),
    plug: (connected) => (connected ? opener.replug() : opener.unplug()),
    resetHere: () => cart.reset('the reset on the cart', true),
    snapshot: () => ({ ...controller.snapshot() }),
  };
}
