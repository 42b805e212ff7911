import { wantsPage } from '../../http/errors.js';
import * as api from '../../http/openapi/schema-helpers.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import {
  type CompletedSteps,
  FIRST_STEPS,
  type FirstRun,
  type FirstRunView,
} from '../first-run/first-run.js';
import { firstRunPage } from './pages.js';

const view = api.record<FirstRunView>({
  done: {
    ...api.record<CompletedSteps>({}, api.each(api.since1970, ...FIRST_STEPS)),
    description: 'When each completed step was completed',
  },
  ...api.each(api.flag, 'hidden', 'isComplete'),
});

export const firstRunApi = api.api(
  { name: 'System' },
  {
    'GET /first-run': api.admin('Returns the checklist for a new gateway', { ok: api.jsonOrPage(view) }),
    'POST /first-run/hide': api.admin('Hides the checklist on the Drive page', {
      ok: api.done,
      redirect: 'Browsers are redirected to the Drive page',
    }),
  },
);

interface FirstRunRoutesDeps {
  firstRun: Pick<FirstRun, 'view' | 'hide' | 'settled'>;
}

export function firstRunRoutes({ firstRun }: FirstRunRoutesDeps): DeclaredRouter {
  const router = routerOf(firstRunApi);
  router.on('GET /first-run', async (req, res) => {
    // Waits, because pages request the checklist immediately after a step has been completed.
    await firstRun.settled();
    if (wantsPage(req)) return sendPage(req, res, firstRunPage, firstRun.view());
    res.json(firstRun.view());
  });
  router.on('POST /first-run/hide', async (req, res) => {
    await firstRun.hide();
    if (wantsPage(req)) res.redirect(303, '/');
    else res.json({ success: true });
  });
  return router;
}
