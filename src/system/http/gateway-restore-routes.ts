import type { Request, Response } from 'express';
import { type GatewayRestore, passphraseOf } from '../../backups/index.js';
import { callerActor } from '../../http/guard/principal.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { systemMessage } from '../messages.js';
import { attempt } from './backup-and-recording-routes.js';
import { gatewayBackupApi } from './openapi.js';
import { type AcceptedRestore, type SetupRestoreDeps, setupRestoreRoutes } from './setup-restore-routes.js';

/** Leaves time for the response, and for the page that contains it. */
const RESTART_DELAY_MS = 2000;

interface GatewayRestoreRoutesDeps {
  restore: Pick<GatewayRestore, 'restore' | 'cancel' | 'confirm' | 'view' | 'canRestart'>;
  clock: Clock;
  /** Undefined if no supervisor would start the gateway again. */
  restart: ((why: string) => void) | undefined;
  setup: Omit<SetupRestoreDeps, 'accept'>;
}

export function gatewayRestoreRoutes({
  restore,
  clock,
  restart,
  setup,
}: GatewayRestoreRoutesDeps): DeclaredRouter {
  const router = routerOf(gatewayBackupApi);
  let cancelRestart: Cancel = () => undefined;
  const scheduleRestart = (): void => {
    cancelRestart();
    cancelRestart = clock.after(RESTART_DELAY_MS, () => {
      if (restore.canRestart()) restart?.('restore of a backup');
    });
  };
  /** Restarts the gateway after the response if the action requires it, even if the client has disconnected. */
  const accept = async (res: Response, action: () => Promise<boolean>): Promise<AcceptedRestore> => {
    const needsRestart = await action();
    const restartsItself = needsRestart && restart !== undefined;
    cancelRestart();
    if (restartsItself && res.closed) scheduleRestart();
    else if (restartsItself) res.once('close', scheduleRestart);
    const title = needsRestart
      ? systemMessage(restartsItself ? 'gateway-restarts' : 'gateway-restart-needed')
      : systemMessage('restore-cancelled');
    const body = { restore: restore.view() ?? null, restartsItself };
    return { status: 202, body, outcome: { notice: { ok: true, title }, restarts: restartsItself } };
  };

  router.on('POST /gateway-backups/:name/restore', (req, res) =>
    attempt(req as Request, res, () =>
      accept(res, async () => {
        const passphrase = passphraseOf(req.body);
        await restore.restore({ name: req.params.name, passphrase, by: callerActor(req) });
        return true;
      }),
    ),
  );
  router.on('POST /gateway-backups/cancel-restore', (req, res) =>
    attempt(req, res, () => accept(res, () => restore.cancel(callerActor(req)))),
  );
  router.on('POST /gateway-backups/confirm', (req, res) =>
    attempt(req, res, async () => {
      const body = await restore.confirm(callerActor(req));
      return { body, outcome: 'restore-confirmed' };
    }),
  );
  router.use(setupRestoreRoutes({ ...setup, accept }));
  return router;
}
