import { type Request, type Response, Router } from 'express';
import { nameOf } from '../access/schema.js';
import type { BackupShelf, Store } from '../ports.js';
import { GatewayError } from '../util/errors.js';
import { principalOf } from './access-principal.js';
import { failureOf, wantsHtml } from './errors.js';
import type { SystemPage } from './system-context.js';
import { sizeText } from './system-words.js';

/** What became of a request, as the page shows it. */
export type Shown = Pick<SystemPage, 'notice' | 'checked'>;

export interface BackupRoutesDeps {
  store: Store;
  backups: BackupShelf;
  /** `system.html`, with what became of the request. */
  renderSystem: (req: Request, shown: Shown) => Promise<string>;
}

/** Copies of the database: list, make, download, look through, and choose one for the next start. */
export function backupRoutes({ store, backups, renderSystem }: BackupRoutesDeps): Router {
  const router = Router();
  /** Does it, and answers a browser with the page and a program with JSON. */
  const attempt = async (
    req: Request,
    res: Response,
    work: () => Promise<{ status?: number; body: object; shown: Shown }>,
  ): Promise<void> => {
    try {
      const { status = 200, body, shown } = await work();
      if (wantsHtml(req))
        res
          .status(status)
          .type('html')
          .send(await renderSystem(req, shown));
      else res.status(status).json(body);
    } catch (error) {
      const { status, body } = failureOf(error);
      if (!wantsHtml(req) || body.code === 'INTERNAL') throw error;
      const { error: title, message, hint } = body;
      const notice = { ok: false, title, message, ...(hint ? { hint } : {}) };
      res
        .status(status)
        .type('html')
        .send(await renderSystem(req, { notice }));
    }
  };

  router.get('/backups', (_req, res) => {
    res.json({ backups: backups.list(), chosen: backups.chosen() ?? null });
  });
  router.post('/backups', (req, res) =>
    attempt(req, res, async () => {
      const body = await store.backup();
      const message = `${sizeText(body.bytes)}, read through, in ${(body.ms / 1000).toFixed(1)} s.`;
      return { status: 201, body, shown: { notice: { ok: true, title: 'Backup made', message } } };
    }),
  );
  router.get('/backups/:name', (req, res, next) => {
    const path = backups.pathOf(req.params.name);
    res.attachment(req.params.name);
    // The data directory may well lie below a hidden one; the name has been looked up.
    res.sendFile(path, { cacheControl: false, dotfiles: 'allow' }, (error) => {
      if (error && !res.headersSent) next(new GatewayError('NOT_FOUND', 'this backup was removed just now'));
    });
  });
  router.post('/backups/:name/verify', (req, res) =>
    attempt(req, res, async () => {
      const checked = await backups.check(req.params.name);
      return { body: checked, shown: { checked } };
    }),
  );
  router.post('/backups/:name/restore', (req, res) =>
    attempt(req, res, async () => {
      const body = await backups.choose(req.params.name, nameOf(principalOf(req)));
      return { body, shown: { notice: { ok: true, title: 'Restore noted for the next start' } } };
    }),
  );
  router.post('/backups/cancel-restore', (req, res) =>
    attempt(req, res, async () => {
      await backups.cancel();
      const message = 'The database stays as it is.';
      return {
        body: { success: true },
        shown: { notice: { ok: true, title: 'Restore taken back', message } },
      };
    }),
  );
  return router;
}
