import { type Request, type Response, Router } from 'express';
import { nameOf } from '../../access/schema.js';
import { GatewayError } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/ports.js';
import { principalOf } from '../../web/guard/principal.js';
import type { BoxShelf } from '../incidents/incident-store.js';
import { type RenderSystem, systemAttempt } from './attempt.js';

interface BlackBoxRoutesDeps {
  boxes: BoxShelf;
  log: Log;
  renderSystem: RenderSystem;
}

/** Recordings of the black box: list, download, pin and unpin. */
export function blackBoxRoutes({ boxes, log, renderSystem }: BlackBoxRoutesDeps): Router {
  const router = Router();
  const attempt = systemAttempt(renderSystem);
  const change =
    (work: (name: string) => Promise<void>, event: string, title: string) =>
    (req: Request<{ name: string }>, res: Response) =>
      attempt(req, res, async () => {
        const { name } = req.params;
        await work(name);
        log.info(event, { name, by: nameOf(principalOf(req)) });
        return { body: { success: true }, shown: { notice: { ok: true, title } } };
      });

  router.get('/black-boxes', async (_req, res) => void res.json({ boxes: await boxes.list() }));
  router.get('/black-boxes/:name', async (req, res, next) => {
    const path = await boxes.pathOf(req.params.name);
    res.attachment(req.params.name);
    // The data directory may well lie below a hidden one; the name has been looked up.
    res.sendFile(path, { cacheControl: false, dotfiles: 'allow' }, (error) => {
      if (error && !res.headersSent)
        next(new GatewayError('NOT_FOUND', 'this black box was removed just now'));
    });
  });
  router.post(
    '/black-boxes/:name/pin',
    change((name) => boxes.pin(name), 'black_box.pinned', 'Recording pinned'),
  );
  router.post(
    '/black-boxes/:name/unpin',
    change((name) => boxes.unpin(name), 'black_box.unpinned', 'Recording unpinned'),
  );
  return router;
}
