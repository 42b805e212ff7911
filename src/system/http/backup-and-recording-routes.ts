import type { Request, Response } from 'express';
import type { GatewayRestore } from '../../backups/index.js';
import { failureNotice, failureOnPage, wantsPage } from '../../http/errors.js';
import { callerActor } from '../../http/guard/principal.js';
import { sendPage } from '../../http/pages.js';
import { queryOneOf } from '../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { sendFile } from '../../http/server/send-file.js';
import { receivePart } from '../../http/server/upload-parts.js';
import { actorName } from '../../shared/actor.js';
import type { Text } from '../../shared/messages/message.js';
import type { BackupManager, RestoreChoice } from '../../shared/ports/backups.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import type { ConfirmationKind } from '../history/entries.js';
import type { History } from '../history/history.js';
import type { IncidentStore } from '../incidents/incident-store.js';
import { systemMessage } from '../messages.js';
import { backupApi, systemApi } from './openapi.js';
import { DONE, type SystemOutcome, systemPage } from './pages.js';

type Done = (typeof DONE)[number];

/** The outcome for `GET /system?done=…`. Throws `INVALID_INPUT`. */
export function recordOutcome(req: Request): SystemOutcome {
  if (req.query.done === undefined) return {};
  const done = queryOneOf(req, 'done', DONE, DONE[0]);
  const notice = { ok: true, title: systemMessage(done) };
  const message = MESSAGES[done];
  return { notice: message ? { ...notice, message } : notice };
}

const MESSAGES: Readonly<Partial<Record<Done, Text>>> = {
  'payments-confirmed': systemMessage('payments-enabled'),
  'backup-made': systemMessage('backup-verified'),
  'gateway-backup-made': systemMessage('gateway-backup-download'),
};

type Action = () => Promise<{ status?: number; body: object; outcome: SystemOutcome | Done }>;

/** Performs an action and responds with the System page to browsers and with JSON to programs. */
export async function attempt(req: Request, res: Response, action: Action): Promise<void> {
  try {
    const { status = 200, body, outcome } = await action();
    if (wantsPage(req) && typeof outcome === 'string') res.redirect(303, `/system?done=${outcome}`);
    else if (wantsPage(req) && typeof outcome === 'object')
      await sendPage(req, res.status(status), systemPage, outcome);
    else res.status(status).json(body);
  } catch (error) {
    if (!wantsPage(req)) throw error;
    await sendPage(req, res, systemPage, { notice: failureNotice(failureOnPage(res, error)) });
  }
}

interface BackupRoutesDeps {
  store: Store;
  backups: BackupManager;
  gatewayRestore: Pick<GatewayRestore, 'requireNone'>;
  history: Pick<History, 'recordConfirmation'>;
  cartID: number;
  log: Log;
}

export function backupRoutes(deps: BackupRoutesDeps): DeclaredRouter {
  const { store, backups, gatewayRestore, history, cartID, log } = deps;
  const router = routerOf(backupApi, systemApi);
  /** Must be stored first, so that payments are never enabled without a record. */
  const recordConfirmation = (kind: ConfirmationKind, req: Request): Promise<void> =>
    history.recordConfirmation({ kind, cartID, by: callerActor(req) });

  router.on('GET /backups', (_req, res) => {
    const chosen = backups.chosen();
    res.json({
      backups: backups.list(),
      uploads: backups.uploads(),
      chosen: chosen ? choiceView(chosen) : null,
    });
  });
  router.onRawBody('PUT /backups/upload', (req, res) =>
    receivePart(req, res, (part, chunks) => backups.upload(part, chunks)),
  );
  router.on('POST /backups', (req, res) =>
    attempt(req, res, async () => {
      return { status: 201, body: await store.backup(), outcome: 'backup-made' };
    }),
  );
  router.on('GET /backups/:name', async (req, res) => {
    const path = backups.pathOf(req.params.name);
    res.attachment(req.params.name);
    await sendFile(req as Request, res, { path, missing: 'the backup no longer exists' });
  });
  router.on('POST /backups/:name/verify', (req, res) =>
    attempt(req, res, async () => {
      const checked = await backups.check(req.params.name);
      return { body: checked, outcome: { checked } };
    }),
  );
  router.on('POST /backups/:name/restore', (req, res) =>
    attempt(req, res, async () => {
      gatewayRestore.requireNone();
      const choice = await backups.choose(req.params.name, callerActor(req));
      try {
        // A gateway restore may have been requested while the backup was being verified.
        gatewayRestore.requireNone();
      } catch (error) {
        await backups.cancel();
        throw error;
      }
      return { body: choiceView(choice), outcome: 'restore-scheduled' };
    }),
  );
  router.on('POST /backups/acknowledge-loss', (req, res) =>
    attempt(req, res, async () => {
      const { lostWrites } = store.status();
      if (lostWrites) await recordConfirmation('loss.acknowledged', req);
      const body = await store.acknowledgeLostWrites();
      log.warn('store.lost_writes_acknowledged', { ...body, by: actorName(callerActor(req)) });
      return { body, outcome: 'loss-acknowledged' };
    }),
  );
  router.on('POST /backups/confirm-payments', (req, res) =>
    attempt(req, res, async () => {
      const { restored } = store.status();
      if (restored) await recordConfirmation('payments.confirmed', req);
      const body = await store.confirmRestore();
      log.warn('store.restore_confirmed', { ...body, confirmedBy: actorName(callerActor(req)) });
      return { body, outcome: 'payments-confirmed' };
    }),
  );
  router.on('POST /backups/cancel-restore', (req, res) =>
    attempt(req, res, async () => {
      await backups.cancel();
      const message = systemMessage('database-unchanged');
      return {
        body: { success: true },
        outcome: { notice: { ok: true, title: systemMessage('restore-cancelled'), message } },
      };
    }),
  );
  return router;
}

function choiceView(choice: RestoreChoice): object {
  return { ...choice, by: actorName(choice.by) };
}

interface BlackBoxRoutesDeps {
  boxes: IncidentStore;
  log: Log;
}

export function blackBoxRoutes({ boxes, log }: BlackBoxRoutesDeps): DeclaredRouter {
  const router = routerOf(backupApi, systemApi);
  const change =
    (action: (name: string) => Promise<void>, event: string, title: Text) =>
    (req: Request<{ name: string }>, res: Response) =>
      attempt(req, res, async () => {
        const { name } = req.params;
        await action(name);
        log.info(event, { name, by: actorName(callerActor(req)) });
        return { body: { success: true }, outcome: { notice: { ok: true, title } } };
      });

  router.on('GET /black-boxes', async (_req, res) => void res.json({ boxes: await boxes.list() }));
  router.on('GET /black-boxes/:name', async (req, res) => {
    const path = await boxes.pathOf(req.params.name);
    res.attachment(req.params.name);
    await sendFile(req as Request, res, { path, missing: 'the recording no longer exists' });
  });
  router.on(
    'POST /black-boxes/:name/pin',
    change((name) => boxes.pin(name), 'black_box.pinned', systemMessage('recording-pinned')),
  );
  router.on(
    'POST /black-boxes/:name/unpin',
    change((name) => boxes.unpin(name), 'black_box.unpinned', systemMessage('recording-unpinned')),
  );
  return router;
}
