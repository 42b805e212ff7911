import type { Request, Response } from 'express';
import { callerActor } from '../../http/guard/principal.js';
import { listsWeakly } from '../../http/server/conditional.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { checkerFor, invalidInput } from '../../shared/validation/validate.js';
import { requireReviewed, requireRoute, type SitePlan } from '../plan-data/site-plan.js';
import type { RouteCheck } from '../routes/check.js';
import type { Route } from '../routes/route.js';
import { runRequestSchema } from '../routes/schema.js';
import type { Teaching } from '../routes/teaching.js';
import type { RunRequest, Runs } from '../runs/runs.js';
import { editOf } from './routes.js';
import { runApi } from './run-openapi.js';

interface RunRoutesDeps {
  sitePlan: SitePlan;
  runs: Runs;
  teaching: Teaching;
  check: (route: Route) => RouteCheck;
}

const checkRequest = checkerFor<RunRequest>(runRequestSchema);

export function runRoutes({ sitePlan, runs, teaching, check }: RunRoutesDeps): DeclaredRouter {
  const router = routerOf(runApi);

  const sendRoutes = (req: Request, res: Response): void => {
    const { version, planHash, needsReview, reviewReason, etag, routes } = sitePlan.current;
    res.setHeader('etag', etag);
    if (listsWeakly(req.get('if-none-match') ?? '', etag)) return void res.status(304).end();
    res.json({ version, planHash, needsReview, reviewReason, routes });
  };

  router.on('GET /routes', sendRoutes);
  router.on('PUT /routes/:id', async (req, res) => {
    await sitePlan.putRoute(req.params.id, req.body, editOf(req, sitePlan.current));
    sendRoutes(req as Request, res);
  });
  router.on('DELETE /routes/:id', async (req, res) => {
    await sitePlan.removeRoute(req.params.id, editOf(req, sitePlan.current));
    sendRoutes(req as Request, res);
  });
  router.on('POST /routes/:id/check', (req, res) => {
    const route = requireRoute(sitePlan.current, req.params.id);
    requireReviewed(sitePlan.current);
    res.json(check(route));
  });
  router.on('GET /teaching', (_req, res) => void res.json(teaching.view));
  router.on('POST /teaching', (req, res) => void res.json(teaching.start(callerActor(req))));
  router.on('POST /teaching/finish', (_req, res) => void res.json(teaching.finish()));
  router.on('DELETE /teaching', (_req, res) => {
    teaching.discard();
    res.json({ success: true });
  });
  router.on('GET /runs', (_req, res) => void res.json(runs.list));
  router.on('POST /runs', async (req, res) => {
    const checked = checkRequest(req.body);
    if ('faults' in checked) throw invalidInput(checked.faults);
    res.status(201).json(await runs.start(checked.value, callerActor(req)));
  });
  router.on('GET /runs/:runId', (req, res) => void res.json(runs.require(req.params.runId)));
  router.on('POST /runs/:runId/pause', async (req, res) => {
    res.json(await runs.pause(req.params.runId, callerActor(req as Request)));
  });
  router.on('POST /runs/:runId/resume', async (req, res) => {
    res.json(await runs.resume(req.params.runId));
  });
  router.on('POST /runs/:runId/cancel', async (req, res) => {
    res.json(await runs.cancel(req.params.runId, callerActor(req as Request)));
  });
  return router;
}
