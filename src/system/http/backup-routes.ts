import { Router } from 'express';
import { nameOf } from '../../access/schema.js';
import { GatewayError } from '../../shared/errors.js';
import type { BackupShelf, Store } from '../../shared/ports/ports.js';
import { principalOf } from '../../web/guard/principal.js';
import { type RenderSystem, systemAttempt } from './attempt.js';
import { sizeText } from './labels.js';

interface BackupRoutesDeps {
  store: Store;
  backups: BackupShelf;
  renderSystem: RenderSystem;
}

/** Copies of the database: list, make, download, look through, and choose one for the next start. */
export function backupRoutes({ store, backups, renderSystem }: BackupRoutesDeps): Router {
  const router = Router();
  const attempt = systemAttempt(renderSystem);

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
