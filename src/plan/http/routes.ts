import express from 'express';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { sendBytes } from '../../http/server/send-file.js';
import { GatewayError } from '../../shared/errors.js';
import type { FloorPlan } from '../floor-plan/floor-plan.js';
import type { LatLong } from '../frame/geodesy.js';
import { planApi } from './openapi.js';

interface PlanRoutesDeps {
  floorPlan: FloorPlan;
  /** The position of a plan that has none yet. */
  origin: () => LatLong;
}

const { routes } = planApi;

export function planRoutes({ floorPlan, origin }: PlanRoutesDeps): DeclaredRouter {
  const router = routerOf(planApi);
  router.on('GET /map/plan', (_req, res) => void res.json({ plan: floorPlan.current ?? null }));
  router.on('GET /map/plan/picture', async (req, res) => {
    const { bytes, type, version } = await floorPlan.image();
    sendBytes(req, res, { body: bytes, etag: `"${version}"`, headers: { 'content-type': type } });
  });

  // Accepts every declared media type, because the image format is determined from the bytes.
  const readImage = express.raw({ type: () => true, limit: routes['PUT /map/plan'].body.maxBytes });
  router.onRawBody('PUT /map/plan', readImage, async (req, res) => {
    if (!Buffer.isBuffer(req.body) || req.body.length === 0) {
      throw new GatewayError('INVALID_INPUT', 'the request body contains no image', { field: 'image' });
    }
    res.json({ plan: await floorPlan.replace(req.body) });
  });
  router.on('PUT /map/plan/line', async (req, res) => {
    res.json({ plan: await floorPlan.setLine(req.body, origin()) });
  });
  router.on('PUT /map/plan/points', async (req, res) => {
    res.json({ plan: await floorPlan.setPoints(req.body) });
  });
  router.on('DELETE /map/plan', async (_req, res) => {
    await floorPlan.remove();
    res.json({ plan: null });
  });
  return router;
}
