import { wantsHtml } from '../../http/errors.js';
import { inLanguageOf } from '../../http/language.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, declaredRouter } from '../../http/server/declared-router.js';
import { recordOutcome } from '../../system/http/archive-routes.js';
import { type SystemState, systemPage } from '../../system/http/pages.js';

/** The System page, and the data that its script requests every few seconds. */
export function systemPageRoutes({ state }: { state: () => SystemState }): DeclaredRouter {
  const router = declaredRouter();
  router.get('/system', (req, res) => {
    if (wantsHtml(req)) return sendPage(req, res, systemPage, recordOutcome(req));
    res.json(inLanguageOf(req, state));
  });
  return router;
}
