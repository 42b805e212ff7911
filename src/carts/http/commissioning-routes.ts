import { type Request, Router } from 'express';
import { nameOf } from '../../access/schema.js';
import { wantsHtml } from '../../web/errors.js';
import { principalOf } from '../../web/guard/principal.js';
import { readBody } from '../../web/server/bodies.js';
import { type Commissioning, STEPS, type Step } from '../commissioning/commissioning.js';
import { commissioningApi } from './openapi.js';

interface CommissioningRoutesDeps {
  commissioning: Commissioning;
  /** `carts/commissioning.html`. */
  renderTour: (req: Request, step?: Step) => string;
}

const { routes } = commissioningApi;

/** The tour of a commissioning: its steps, and what became of each. The cart is driven through the routes for driving. */
export function commissioningRoutes({ commissioning, renderTour }: CommissioningRoutesDeps): Router {
  const router = Router();
  router.get('/commissioning', (req, res) => {
    if (!wantsHtml(req)) return void res.json({ steps: STEPS, results: commissioning.results });
    const step = STEPS.find((name) => name === req.query.step);
    res.type('html').send(renderTour(req, step));
  });
  router.post('/commissioning', ...readBody(routes['POST /commissioning']), async (req, res) => {
    const by = nameOf(principalOf(req));
    const step = req.body.step === 'rest' ? undefined : await commissioning.note(req.body, by);
    if (!step) await commissioning.skipRest(by);
    if (!wantsHtml(req)) return void res.json({ success: true, results: commissioning.results });
    const next = step && STEPS[STEPS.indexOf(step) + 1];
    res.redirect(303, next ? `/commissioning?step=${next}#step` : '/commissioning');
  });
  return router;
}
