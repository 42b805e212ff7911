import type { RequestHandler } from 'express';
import { callerActor } from '../../http/guard/principal.js';
import { declarePage, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { connectionTests } from '../../shared/connection-tests.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { SettingsService } from '../document/settings.js';
import { settingsApi } from './openapi.js';
import { requirePermission } from './permissions.js';

/** Responds to `POST /updateJson` with the Drive page, as the specification requires. */
export const settingsSavedPage = declarePage<object>('Settings saved');

export interface SettingsRoutesDeps {
  settings: SettingsService;
  isIdle: () => boolean;
  hasZones: () => boolean;
  testBroker: (mqtt: unknown) => Promise<{ ok: true; ms: number } | { ok: false; reason: Text }>;
}

export function settingsRoutes(deps: SettingsRoutesDeps): DeclaredRouter {
  const { settings, isIdle, hasZones } = deps;
  const router = routerOf(settingsApi);

  const updateJson: RequestHandler = async (req, res) => {
    const ifMatch = req.get('if-match');
    const { restartNeeded, trialId } = await settings.update(req.body, {
      isIdle,
      by: callerActor(req),
      authorise: requirePermission(req, hasZones),
      onTrial: req.query.trial === '1',
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
    res.setHeader('etag', settings.etag);
    if (restartNeeded.length > 0) res.setHeader('x-restart-needed', restartNeeded.join(', '));
    if (trialId !== undefined) res.setHeader('x-trial', trialId);
    await sendPage(req, res, settingsSavedPage, {});
  };
  router.on('POST /updateJson', updateJson);

  router.on('GET /variables.json', (_req, res) => {
    res.setHeader('etag', settings.etag);
    res.json(settings.masked());
  });

  router.on('POST /brokerSettings/test', async (req, res) => {
    const mqtt: unknown = req.body.mqtt;
    if (typeof mqtt !== 'object' || mqtt === null) {
      throw new GatewayError('INVALID_INPUT', 'send the mqtt section as {"mqtt": {…}}', { field: 'mqtt' });
    }
    res.json(await connectionTests.run(() => deps.testBroker(mqtt)));
  });
  return router;
}
