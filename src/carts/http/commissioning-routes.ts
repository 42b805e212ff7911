import { wantsPage } from '../../http/errors.js';
import { callerActor } from '../../http/guard/principal.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { type Commissioning, resultsView, STEPS } from '../commissioning/commissioning.js';
import { commissioningApi } from './openapi.js';
import { commissioningPage } from './pages.js';

export function commissioningRoutes({ commissioning }: { commissioning: Commissioning }): DeclaredRouter {
  const router = routerOf(commissioningApi);
  router.on('GET /commissioning', (req, res) => {
    if (!wantsPage(req)) return void res.json({ steps: STEPS, results: resultsView(commissioning.results) });
    const step = STEPS.find((name) => name === req.query.step);
    return sendPage(req, res, commissioningPage, { results: commissioning.results, step });
  });
  router.on('POST /commissioning', async (req, res) => {
    const by = callerActor(req);
    const step = req.body.step === 'rest' ? undefined : await commissioning.note(req.body, by);
    if (!step) await commissioning.skipRest(by);
    if (!wantsPage(req)) return void res.json({ success: true, results: resultsView(commissioning.results) });
    const next = step && STEPS[STEPS.indexOf(step) + 1];
    res.redirect(303, next ? `/commissioning?step=${next}#step` : '/commissioning');
  });
  return router;
}
