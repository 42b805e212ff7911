import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { GatewayError } from '../../shared/errors.js';
import { validationMessage } from '../../shared/validation/messages.js';
import { type Checker, checkerFor } from '../../shared/validation/validate.js';
import { markersSchema, simulatorApi, wallsSchema } from './openapi.js';

/** A line segment in mm, in the coordinate system of the snapshot. */
interface SimulatedWall {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** A marker of the tag36h11 family, in the same coordinates. */
interface SimulatedMarker {
  id: number;
  /** Width of the black square. */
  sizeMm: number;
  xMm: number;
  yMm: number;
  /** Direction of the marker's normal. */
  headingDeg: number;
}

export interface SimulatorControls {
  faults: readonly string[];
  fault(verb: string, on: boolean, argument?: number): void;
  walls(walls: SimulatedWall[]): void;
  /** Replaces the markers that the simulated camera sees; undefined selects the registered markers. */
  markers(markers: SimulatedMarker[] | undefined): void;
  button(pressed: boolean): void;
  /** Connects or disconnects the cable between the gateway and the controller. */
  plug(connected: boolean): void;
  /** Presses the reset button on the cart. */
  resetHere(): Promise<void>;
  snapshot(): object;
}

const checkWalls = checkerFor<SimulatedWall[]>(wallsSchema);
const checkMarkers = checkerFor<SimulatedMarker[]>(markersSchema);

function checked<T>(check: Checker<T[]>, field: string, value: unknown): T[] {
  const result = check(value);
  if ('value' in result) return result.value;
  const faults = result.faults.map(({ path, message }) => ({ path: `/${field}${path}`, message }));
  const [first] = faults;
  const fault = first?.message ?? validationMessage('invalid');
  const text = validationMessage('field', { field: first?.path.slice(1) ?? field, fault });
  throw new GatewayError('INVALID_INPUT', text, { field, faults });
}

/** Mounted only while the controller is simulated. */
export function simulatorRoutes(controls: SimulatorControls): DeclaredRouter {
  const router = routerOf(simulatorApi);
  router.on(
    'GET /simulator',
    (_req, res) => void res.json({ ...controls.snapshot(), verbs: controls.faults }),
  );
  router.on('POST /simulator', async (req, res) => {
    const { action, on, argument, walls, markers } = req.body;
    const isOn = on === true || on === 'true';
    if (controls.faults.includes(action)) {
      controls.fault(action, isOn, argument === undefined || argument === '' ? undefined : Number(argument));
    } else if (action === 'walls') controls.walls(checked(checkWalls, 'walls', walls ?? []));
    else if (action === 'markers') {
      controls.markers(markers === undefined ? undefined : checked(checkMarkers, 'markers', markers));
    } else if (action === 'button') controls.button(isOn);
    else if (action === 'plug') controls.plug(isOn);
    else if (action === 'reset-here') await controls.resetHere();
    else {
      const known = ['button', 'plug', 'reset-here', 'walls', 'markers', ...controls.faults].join(', ');
      throw new GatewayError('INVALID_INPUT', `action must be one of ${known}`, { field: 'action' });
    }
    res.json({ success: true, ...controls.snapshot() });
  });
  return router;
}
