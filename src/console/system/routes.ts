import { wantsPage } from '../../http/errors.js';
import { inLanguageOf } from '../../http/language.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { recordOutcome, type SystemState, systemApi, systemPage } from '../../system/index.js';

/** Serves the System page, and the data that its script requests every few seconds. */
export function systemPageRoutes({ state }: { state: () => SystemState }): DeclaredRouter {
  const router = routerOf(systemApi);
  router.on('GET /system', (req, res) => {
    if (wantsPage(req)) return sendPage(req, res, systemPage, recordOutcome(req));
    res.json(inLanguageOf(req, state));
  });
  return router;
}
