import { wantsPage } from '../../http/errors.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { FirstRun } from '../first-run/first-run.js';
import { firstRunApi } from './openapi.js';
import { firstRunPage } from './pages.js';

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
