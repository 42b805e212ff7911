import express, { type Request } from 'express';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { sendBytes } from '../../http/server/send-file.js';
import { GatewayError } from '../../shared/errors.js';
import type { FloorPlan } from '../floor-plan/floor-plan.js';
import type { LatLong } from '../frame/geodesy.js';
import { planApi } from './openapi.js';

/** Later modules can forbid and record changes of the floor plan. */
export interface PlanGuard {
  /** Throws `FORBIDDEN` if the caller is not permitted to change the floor plan. */
  changePlan<T>(req: Request, change: () => Promise<T>): Promise<T>;
}

interface PlanRoutesDeps {
  floorPlan: FloorPlan;
  guard: PlanGuard;
  /** The position of a plan that has none yet. */
  origin: () => LatLong;
}

const { routes } = planApi;

export function planRoutes({ floorPlan, guard, origin }: PlanRoutesDeps): DeclaredRouter {
  const router = routerOf(planApi);
  router.on('GET /map/plan', (_req, res) => void res.json({ plan: floorPlan.current ?? null }));
  router.on('GET /map/plan/picture', async (req, res) => {
    const { bytes, type, version } = await floorPlan.image();
    sendBytes(req, res, { body: bytes, etag: `"${version}"`, headers: { 'content-type': type } });
  });

  // Accepts every declared media type, because the image format is determined from the bytes.
  const readImage = express.raw({ type: () => true, limit: routes['PUT /map/plan'].body.maxBytes });
  router.onRawBody('PUT /map/plan', readImage, async (req, res) => {
    const { body } = req;
    if (!Buffer.isBuffer(body) || body.length === 0) {
      throw new GatewayError('INVALID_INPUT', 'the request body contains no image', { field: 'image' });
    }
    res.json({ plan: await guard.changePlan(req, () => floorPlan.replace(body)) });
  });
  router.on('PUT /map/plan/line', async (req, res) => {
    res.json({ plan: await guard.changePlan(req, () => floorPlan.setLine(req.body, origin())) });
  });
  router.on('PUT /map/plan/points', async (req, res) => {
    res.json({ plan: await guard.changePlan(req, () => floorPlan.setPoints(req.body)) });
  });
  router.on('DELETE /map/plan', async (req, res) => {
    await guard.changePlan(req, () => floorPlan.remove());
    res.json({ plan: null });
  });
  return router;
}
