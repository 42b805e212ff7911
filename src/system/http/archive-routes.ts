import { type Request, type Response, Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { BackupStore } from '../../shared/ports/backups.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { failureOf, wantsHtml } from '../../web/errors.js';
import { callerName } from '../../web/guard/principal.js';
import type { IncidentStore } from '../incidents/incident-store.js';
import { systemMessage } from '../messages.js';
import type { SystemPage } from './context.js';
import { sizeText } from './labels.js';

/** The outcome of a request, as the System page shows it. */
export type Shown = Pick<SystemPage, 'notice' | 'checked'>;

/** `system/system.html` with the outcome of a request. */
type RenderSystem = (req: Request, shown: Shown) => Promise<string>;

type Work = () => Promise<{ status?: number; body: object; shown: Shown }>;

/** Does the work of a request, and answers a browser with the System page and a program with JSON. */
function systemAttempt(
  renderSystem: RenderSystem,
): (req: Request, res: Response, work: Work) => Promise<void> {
  return async (req, res, work) => {
    const show = async (status: number, shown: Shown): Promise<void> =>
      void res
        .status(status)
        .type('html')
        .send(await renderSystem(req, shown));
    try {
      const { status = 200, body, shown } = await work();
      if (wantsHtml(req)) await show(status, shown);
      else res.status(status).json(body);
    } catch (error) {
      const { status, body } = failureOf(error);
      if (!wantsHtml(req) || body.code === 'INTERNAL') throw error;
      const { error: title, message, hint } = body;
      await show(status, { notice: { ok: false, title, message, ...(hint ? { hint } : {}) } });
    }
  };
}

interface BackupRoutesDeps {
  store: Store;
  backups: BackupStore;
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
      const message = systemMessage('backup-read', {
        size: sizeText(body.bytes),
        seconds: (body.ms / 1000).toFixed(1),
      });
      return {
        status: 201,
        body,
        shown: { notice: { ok: true, title: systemMessage('backup-made'), message } },
      };
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
      const body = await backups.choose(req.params.name, callerName(req));
      return { body, shown: { notice: { ok: true, title: systemMessage('restore-noted') } } };
    }),
  );
  router.post('/backups/cancel-restore', (req, res) =>
    attempt(req, res, async () => {
      await backups.cancel();
      const message = systemMessage('database-stays');
      return {
        body: { success: true },
        shown: { notice: { ok: true, title: systemMessage('restore-taken-back'), message } },
      };
    }),
  );
  return router;
}

interface BlackBoxRoutesDeps {
  boxes: IncidentStore;
  log: Log;
  renderSystem: RenderSystem;
}

/** Recordings of the black box: list, download, pin and unpin. */
export function blackBoxRoutes({ boxes, log, renderSystem }: BlackBoxRoutesDeps): Router {
  const router = Router();
  const attempt = systemAttempt(renderSystem);
  const change =
    (work: (name: string) => Promise<void>, event: string, title: Text) =>
    (req: Request<{ name: string }>, res: Response) =>
      attempt(req, res, async () => {
        const { name } = req.params;
        await work(name);
        log.info(event, { name, by: callerName(req) });
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
    change((name) => boxes.pin(name), 'black_box.pinned', systemMessage('recording-pinned')),
  );
  router.post(
    '/black-boxes/:name/unpin',
    change((name) => boxes.unpin(name), 'black_box.unpinned', systemMessage('recording-unpinned')),
  );
  return router;
}
