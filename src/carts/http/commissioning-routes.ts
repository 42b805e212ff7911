import type { Request, Response } from 'express';
import { failureOnPage, wantsPage } from '../../http/errors.js';
import { callerActor } from '../../http/guard/principal.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { Actor } from '../../shared/actor.js';
import { brakeTestsView } from '../commissioning/brake-test.js';
import {
  type Commissioning,
  type CommissioningStep,
  resultsView,
  STEPS,
  type StepInput,
} from '../commissioning/commissioning.js';
import { measuredFootprint } from '../commissioning/footprint.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import { commissioningApi } from './openapi.js';
import { type CommissioningPage, commissioningPage } from './pages.js';

interface CommissioningRoutesDeps {
  commissioning: Commissioning;
  limits: () => Pick<LimitsSettings, 'maxSpeedMmps'>;
  /** Rejects with the errors of the settings, for example `NOT_IDLE`, or `FORBIDDEN` for this caller. */
  saveFootprint: (footprint: KinematicsSettings['footprint'], req: Request) => Promise<unknown>;
}

export function commissioningRoutes({
  commissioning,
  limits,
  saveFootprint,
}: CommissioningRoutesDeps): DeclaredRouter {
  const router = routerOf(commissioningApi);
  const send = (req: Request, res: Response, page: Pick<CommissioningPage, 'step' | 'rejected'>) => {
    const { results, brakeTests } = commissioning;
    return sendPage(req, res, commissioningPage, { results, brakeTests, ...page });
  };
  const note = async (req: Request, by: Actor): Promise<CommissioningStep> => {
    const input: StepInput = req.body;
    if (input.step !== 'footprint' || input.outcome !== 'passed')
      return await commissioning.note(input, by, limits());
    const { corners, note } = measuredFootprint({ ...input });
    await saveFootprint(corners, req);
    return await commissioning.note({ ...input, note }, by, limits());
  };
  const stepIn = (value: unknown): CommissioningStep | undefined => STEPS.find((name) => name === value);

  router.on('GET /commissioning', (req, res) => {
    const { results, brakeTests } = commissioning;
    if (wantsPage(req)) return send(req, res, { step: stepIn(req.query.step) });
    res.json({ steps: STEPS, results: resultsView(results), brakeTests: brakeTestsView(brakeTests) });
  });
  router.on('POST /commissioning', async (req, res) => {
    const by = callerActor(req);
    let step: CommissioningStep | undefined;
    try {
      if (req.body.step === 'rest') await commissioning.skipRest(by);
      else step = await note(req, by);
    } catch (error) {
      const rejected = stepIn(req.body.step);
      if (!wantsPage(req) || !rejected) throw error;
      const { message, hint = '', field = '' } = failureOnPage(res, error);
      return await send(req, res, { step: rejected, rejected: { message, hint, field, entered: req.body } });
    }
    if (!wantsPage(req)) return void res.json({ success: true, results: resultsView(commissioning.results) });
    const next = step && STEPS[STEPS.indexOf(step) + 1];
    res.redirect(303, next ? `/commissioning?step=${next}#step` : '/commissioning');
  });
  router.on('POST /commissioning/brake-tests/withdraw', async (req, res) => {
    await commissioning.withdrawBrakeTest(req.body.at, callerActor(req));
    if (!wantsPage(req)) return void res.json({ success: true });
    res.redirect(303, '/commissioning');
  });
  return router;
}
