import { failureNotice, failureOnPage, wantsPage } from '../../http/errors.js';
import { callerActor } from '../../http/guard/principal.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { receivePart } from '../../http/server/upload-parts.js';
import type { Updates } from '../updates.js';
import { updateApi } from './openapi.js';
import { updatePage } from './pages.js';

export function updateRoutes(
  updates: Pick<Updates, 'view' | 'progress' | 'upload' | 'install'>,
): DeclaredRouter {
  const router = routerOf(updateApi);
  router.on('GET /updates', async (req, res) => {
    const view = await updates.view();
    if (wantsPage(req)) return sendPage(req, res, updatePage, { view, progress: updates.progress() });
    res.json(view);
  });
  router.onRawBody('PUT /updates/:file', (req, res) =>
    receivePart(req, res, (part, chunks) => updates.upload(req.params.file, part, chunks, callerActor(req))),
  );
  router.on('POST /updates/:version/install', async (req, res) => {
    try {
      await updates.install(req.params.version, callerActor(req));
    } catch (error) {
      if (!wantsPage(req)) throw error;
      const notice = failureNotice(failureOnPage(res, error));
      const view = await updates.view();
      return sendPage(req, res, updatePage, { view, progress: updates.progress(), notice });
    }
    if (wantsPage(req)) res.redirect(303, '/updates');
    else res.status(202).json(updates.progress());
  });
  router.on('GET /updates/progress', (_req, res) => void res.json(updates.progress()));
  return router;
}
