import { Router } from 'express';
import { checkerFor } from '../../shared/validation/validate.js';
import { readBody } from '../../web/server/bodies.js';
import { validated } from '../invalid.js';
import type { Localization } from '../localization/service.js';
import type { Pose } from '../markers/model.js';
import { poseSchema } from '../markers/schema.js';
import { locationApi } from './openapi.js';

const check = checkerFor<Pose>(poseSchema);

export function locationRoutes(localization: Pick<Localization, 'place'>): Router {
  const router = Router();
  router.put(
    '/navigation/location',
    ...readBody(locationApi.routes['PUT /navigation/location']),
    (req, res) => {
      res.json(localization.place(validated(check, req.body, poseSchema)));
    },
  );
  return router;
}
