import type { Request } from 'express';
import { queryOneOf } from '../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { CartSender } from '../../shared/ports/navigation/cart-motions.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { type ApproachRequest, approachSchema } from '../approach/schema.js';
import type { Approach } from '../approach/service.js';
import type { SightingsView } from '../approach/view.js';
import { validated } from '../invalid.js';
import type { DetectorService } from '../markers/detector-service.js';
import { approachApi } from './approach-openapi.js';

export interface ApproachRoutesDeps {
  approach: Pick<Approach, 'start' | 'view' | 'whenEnded'>;
  detector: Pick<DetectorService, 'look' | 'state'>;
  imageSize: () => { width: number; height: number };
  senderOf: (req: Request) => CartSender;
  clock: Clock;
}

const check = checkerFor<ApproachRequest>(approachSchema);

export function approachRoutes(deps: ApproachRoutesDeps): DeclaredRouter {
  const { approach, senderOf } = deps;
  const router = routerOf(approachApi);
  router.on('GET /navigation/sightings', (_req, res) => void res.json(sightingsOf(deps)));
  router.on('GET /navigation/approach', (_req, res) => {
    res.json({ approach: approach.view() ?? null });
  });
  router.on('POST /navigation/approach', async (req, res) => {
    const wait = queryOneOf(req, 'wait', ['accept', 'done'], 'accept');
    const started = approach.start(validated(check, req.body, approachSchema), senderOf(req));
    res.json(wait === 'done' ? await approach.whenEnded() : started);
  });
  return router;
}

function sightingsOf({ approach, detector, imageSize, clock }: ApproachRoutesDeps): SightingsView {
  const newest = detector.look();
  const { width, height } = imageSize();
  return {
    ageMs: newest ? Math.round(clock.now() - newest.atMs) : null,
    width,
    height,
    sightings: newest?.sightings ?? [],
    fault: detector.state().fault,
    approach: approach.view() ?? null,
  };
}
