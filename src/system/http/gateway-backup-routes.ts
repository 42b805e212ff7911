import type { Request } from 'express';
import {
  type BackupSchedule,
  type GatewayBackups,
  type GatewayRestore,
  newBackupOf,
  passphraseOf,
  scheduleOf,
} from '../../backups/index.js';
import { callerActor } from '../../http/guard/principal.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { sendFile } from '../../http/server/send-file.js';
import { receivePart } from '../../http/server/upload-parts.js';
import { isJsonObject } from '../../shared/validation/json.js';
import type { BackupEventKind } from '../history/entries.js';
import type { History } from '../history/history.js';
import { systemMessage } from '../messages.js';
import { attempt } from './backup-and-recording-routes.js';
import { gatewayBackupApi } from './openapi.js';

interface GatewayBackupRoutesDeps {
  backups: GatewayBackups;
  schedule: Pick<BackupSchedule, 'view' | 'set' | 'turnOff'>;
  restore: Pick<GatewayRestore, 'view'>;
  history: Pick<History, 'recordSafety'>;
  cartID: number;
}

export function gatewayBackupRoutes({
  backups,
  schedule,
  restore,
  history,
  cartID,
}: GatewayBackupRoutesDeps): DeclaredRouter {
  const router = routerOf(gatewayBackupApi);
  const record = (kind: BackupEventKind, backup: string, req: Request): void =>
    history.recordSafety({ kind, cartID, backup, by: callerActor(req) });

  router.on('GET /gateway-backups', async (_req, res) => {
    const [found, usbStick] = await Promise.all([backups.list(), backups.hasUsbStick()]);
    res.json({ backups: found, usbStick, restore: restore.view() ?? null });
  });
  router.on('POST /gateway-backups', (req, res) =>
    attempt(req, res, async () => {
      const { passphrase = '', include = [] } = newBackupOf(inputOf(req));
      const body = await backups.make(passphrase, include, callerActor(req));
      record('backup.made', body.name, req);
      const { usb, usbFailure } = body;
      if (usbFailure === '')
        return { status: 201, body, outcome: usb ? 'gateway-backup-copied' : 'gateway-backup-made' };
      const notice = { ok: false, title: systemMessage('gateway-backup-made'), message: usbFailure };
      return { status: 201, body, outcome: { notice } };
    }),
  );
  router.on('GET /gateway-backups-schedule', (_req, res) => {
    res.json({ schedule: schedule.view() ?? null });
  });
  router.on('PUT /gateway-backups-schedule', async (req, res) => {
    res.json(await schedule.set(scheduleOf(req.body), callerActor(req)));
  });
  router.on('DELETE /gateway-backups-schedule', async (req, res) => {
    await schedule.turnOff(callerActor(req));
    res.json({ success: true });
  });
  router.on('POST /gateway-backups-schedule', (req, res) =>
    attempt(req, res, async () => {
      const body = await schedule.set(scheduleOf(inputOf(req)), callerActor(req));
      return { body, outcome: 'schedule-on' };
    }),
  );
  router.on('POST /gateway-backups-schedule/off', (req, res) =>
    attempt(req, res, async () => {
      await schedule.turnOff(callerActor(req));
      return { body: { success: true }, outcome: 'schedule-off' };
    }),
  );
  router.on('GET /gateway-backups/:name', async (req, res) => {
    const path = await backups.pathOf(req.params.name);
    res.attachment(req.params.name);
    await sendFile(req as Request, res, { path, missing: 'the backup no longer exists' });
  });
  router.onRawBody('PUT /gateway-backups/:name', (req, res) =>
    receivePart(req, res, async (part, chunks) => {
      const stored = await backups.upload(req.params.name, part, chunks, callerActor(req));
      if (!('received' in stored)) record('backup.uploaded', stored.name, req);
      return stored;
    }),
  );
  router.on('POST /gateway-backups/:name/inspect', (req, res) =>
    attempt(req, res, async () => {
      const body = await backups.inspect(req.params.name, passphraseOf(req.body));
      return { body, outcome: { inspected: body } };
    }),
  );
  const remove = async (name: string, req: Request): Promise<{ success: true }> => {
    await backups.remove(name, callerActor(req));
    record('backup.deleted', name, req);
    return { success: true };
  };
  router.on('DELETE /gateway-backups/:name', async (req, res) => {
    res.json(await remove(req.params.name, req as Request));
  });
  router.on('POST /gateway-backups/:name/delete', (req, res) =>
    attempt(req as Request, res, async () => {
      const body = await remove(req.params.name, req as Request);
      return { body, outcome: 'gateway-backup-deleted' };
    }),
  );
  return router;
}

/** A form sends a single ticked checkbox as a string, and sends no field if no checkbox is ticked. */
function inputOf({ body }: Request): unknown {
  if (!isJsonObject(body) || typeof body.include !== 'string') return body;
  return { ...body, include: [body.include] };
}
