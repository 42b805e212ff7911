import type { Request, Response } from 'express';
import type { Access } from '../../access/index.js';
import {
  type GatewayBackups,
  type GatewayRestore,
  type RestoreView,
  setupRestoreOf,
} from '../../backups/index.js';
import { failureNotice, failureOnPage, wantsPage } from '../../http/errors.js';
import { type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { receivePart } from '../../http/server/upload-parts.js';
import { conditionActor } from '../../shared/actor.js';
import type { History } from '../history/history.js';
import { systemMessage } from '../messages.js';

import { SETUP_CODE_HEADER, setupRestoreApi } from './openapi.js';
import { type SetupRestorePage, setupRestorePage } from './pages.js';

export interface AcceptedRestore {
  status: number;
  body: { restore: RestoreView | null; restartsItself: boolean };
  outcome: { notice: Notice; restarts: boolean };
}

export interface SetupRestoreDeps {
  setup: Pick<Access['setup'], 'authorise'>;
  backups: Pick<GatewayBackups, 'list' | 'upload' | 'inspect'>;
  restore: Pick<GatewayRestore, 'restore'>;
  history: Pick<History, 'recordSafety'>;
  cartID: number;
  /** Restarts the gateway after the response if the action resolves with true. */
  accept: (res: Response, action: () => Promise<boolean>) => Promise<AcceptedRestore>;
}

const BY = conditionActor('input', systemMessage('by-setup'));

/**
 * Restores a backup on a gateway without an administrator. Every request needs the setup code, which is checked before
 * a file is read.
 */
export function setupRestoreRoutes(deps: SetupRestoreDeps): DeclaredRouter {
  const { setup, backups, restore, history, cartID, accept } = deps;
  const router = routerOf(setupRestoreApi);
  const authorise = (code: string, req: Request): void => setup.authorise(code, req.ip ?? '');
  /** Sends the outcome of `work` to a browser as a page, and to any other client as JSON. */
  const answer = async (
    req: Request<{ name?: string }>,
    res: Response,
    work: (passphrase: string) => Promise<{ status: number; body: object; page: Partial<SetupRestorePage> }>,
  ): Promise<void> => {
    const { name = '' } = req.params;
    const entered = { name, code: typeof req.body.code === 'string' ? req.body.code : '' };
    try {
      const { code, passphrase } = setupRestoreOf(req.body);
      authorise(code, req as Request);
      const { status, body, page } = await work(passphrase);
      if (wantsPage(req)) await sendPage(req, res.status(status), setupRestorePage, { ...entered, ...page });
      else res.status(status).json(body);
    } catch (error) {
      if (!wantsPage(req)) throw error;
      const notice = failureNotice(failureOnPage(res, error));
      await sendPage(req, res, setupRestorePage, { ...entered, notice });
    }
  };

  router.onRawBody('PUT /setup/gateway-backups/:name', (req, res) =>
    receivePart(req as Request, res, async (part, chunks) => {
      authorise(req.get(SETUP_CODE_HEADER) ?? '', req as Request);
      const { name } = req.params;
      const stored = await backups.upload(name, part, chunks, BY);
      if (!('received' in stored))
        history.recordSafety({ kind: 'backup.uploaded', cartID, backup: name, by: BY });
      return stored;
    }),
  );
  router.on('POST /setup/gateway-backups', (req, res) =>
    answer(req, res, async () => {
      const found = await backups.list();
      return { status: 200, body: { backups: found }, page: { found } };
    }),
  );
  router.on('POST /setup/gateway-backups/:name/inspect', (req, res) =>
    answer(req, res, async (passphrase) => {
      const inspected = await backups.inspect(req.params.name, passphrase);
      return { status: 200, body: inspected, page: { inspected } };
    }),
  );
  router.on('POST /setup/gateway-backups/:name/restore', (req, res) =>
    answer(req, res, async (passphrase) => {
      const { status, body, outcome } = await accept(res, async () => {
        await restore.restore({ name: req.params.name, passphrase, by: BY });
        return true;
      });
      return { status, body, page: { ...outcome, accepted: body } };
    }),
  );
  return router;
}
