import { wantsHtml } from '../../http/errors.js';
import { callerName } from '../../http/guard/principal.js';
import { sendPage } from '../../http/pages.js';
import { readBody } from '../../http/server/bodies.js';
import { type DeclaredRouter, declaredRouter } from '../../http/server/declared-router.js';
import { type Commissioning, STEPS } from '../commissioning/commissioning.js';
import { commissioningApi } from './openapi.js';
import { commissioningPage } from './pages.js';

const { routes } = commissioningApi;

export function commissioningRoutes({ commissioning }: { commissioning: Commissioning }): DeclaredRouter {
  const router = declaredRouter();
  router.get('/commissioning', (req, res) => {
    if (!wantsHtml(req)) return void res.json({ steps: STEPS, results: commissioning.results });
    const step = STEPS.find((name) => name === req.query.step);
    return sendPage(req, res, commissioningPage, { results: commissioning.results, step });
  });
  router.post('/commissioning', ...readBody(routes['POST /commissioning']), async (req, res) => {
    const by = callerName(req);
    const step = req.body.step === 'rest' ? undefined : await commissioning.note(req.body, by);
    if (!step) await commissioning.skipRest(by);
    if (!wantsHtml(req)) return void res.json({ success: true, results: commissioning.results });
    const next = step && STEPS[STEPS.indexOf(step) + 1];
    res.redirect(303, next ? `/commissioning?step=${next}#step` : '/commissioning');
  });
  return router;
}
