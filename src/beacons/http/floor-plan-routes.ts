import express, { Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { readBody } from '../../web/server/bodies.js';
import type { FloorPlan } from '../floor-plan/floor-plan.js';
import { mapApi } from './map-openapi.js';

const { routes } = mapApi;

/** The floor plan under the map: look, upload, place and delete. */
export function mapPlanRoutes(plan: FloorPlan): Router {
  const router = Router();
  router.get('/map/plan', (_req, res) => void res.json({ plan: plan.current ?? null }));
  router.get('/map/plan/picture', async (_req, res) => {
    const { bytes, type } = await plan.picture();
    res.type(type).send(bytes);
  });

  // What it is called counts for nothing, so it is read whatever it is called.
  const picture = express.raw({ type: () => true, limit: routes['PUT /map/plan'].body.maxBytes });
  router.put('/map/plan', picture, async (req, res) => {
    if (!Buffer.isBuffer(req.body) || req.body.length === 0) {
      throw new GatewayError('INVALID_INPUT', 'the picture is missing: send its bytes', { field: 'image' });
    }
    res.json({ plan: await plan.replace(req.body) });
  });
  router.put('/map/plan/points', ...readBody(routes['PUT /map/plan/points']), async (req, res) => {
    res.json({ plan: await plan.setPoints(req.body) });
  });
  router.delete('/map/plan', async (_req, res) => {
    await plan.remove();
    res.json({ plan: null });
  });
  return router;
}
