import { Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { readBody } from '../../web/server/bodies.js';
import { simulatorApi } from './openapi.js';

const { routes } = simulatorApi;

export interface SimulatorControls {
  faults: readonly string[];
  fault(verb: string, on: boolean, argument?: number): void;
  button(pressed: boolean): void;
  /** Connects or disconnects the cable between the gateway and the controller. */
  plug(connected: boolean): void;
  /** Presses the reset button on the cart. */
  resetHere(): Promise<void>;
  snapshot(): object;
}

/** Mounted only while the controller is simulated. */
export function simulatorRoutes(controls: SimulatorControls): Router {
  const router = Router();
  router.get('/simulator', (_req, res) => void res.json({ ...controls.snapshot(), verbs: controls.faults }));
  router.post('/simulator', ...readBody(routes['POST /simulator']), async (req, res) => {
    const { action, on, argument } = req.body;
    const isOn = on === true || on === 'true';
    if (controls.faults.includes(action)) {
      controls.fault(action, isOn, argument === undefined || argument === '' ? undefined : Number(argument));
    } else if (action === 'button') controls.button(isOn);
    else if (action === 'plug') controls.plug(isOn);
    else if (action === 'reset-here') await controls.resetHere();
    else {
      const known = ['button', 'plug', 'reset-here', ...controls.faults].join(', ');
      throw new GatewayError('INVALID_INPUT', `action must be one of ${known}`, { field: 'action' });
    }
    res.json({ success: true, ...controls.snapshot() });
  });
  return router;
}
