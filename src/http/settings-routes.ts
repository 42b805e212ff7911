import { type Request, type RequestHandler, Router } from 'express';
import type { SettingsChange, SettingsRoom } from '../settings/settings.js';
import { GatewayError } from '../util/errors.js';
import { readBody } from './bodies.js';
import type { Notice } from './context.js';
import { SETTINGS_SECTIONS } from './settings-fields.js';
import { type FormRetry, saveForm } from './settings-save.js';

const BODY_BYTES = 256 * 1024;

export interface SettingsRoutesDeps {
  settings: SettingsRoom;
  /** Settings that a moving cart depends on may only change while it stands. */
  isIdle: () => boolean;
  /** Really connects to the broker that the given `mqtt` section describes. */
  testBroker: (mqtt: unknown) => Promise<{ ok: true; ms: number } | { ok: false; reason: string }>;
  renderIndex: (req: Request) => string;
  renderSettings: (req: Request, notice?: Notice, retry?: FormRetry) => string;
}

/** The routes that read and change variables.json. */
export function settingsRoutes(deps: SettingsRoutesDeps): Router {
  const { settings, isIdle, renderIndex, renderSettings } = deps;
  const router = Router();

  const update = (patch: unknown, ifMatch: string | undefined): Promise<SettingsChange> =>
    settings.update(patch, { isIdle, ...(ifMatch === undefined ? {} : { ifMatch }) });

  const updateJson: RequestHandler = async (req, res) => {
    const { restartNeeded } = await update(req.body, req.get('if-match'));
    res.setHeader('etag', settings.etag);
    if (restartNeeded.length > 0) res.setHeader('x-restart-needed', restartNeeded.join(', '));
    res.type('html').send(renderIndex(req));
  };
  router.post('/updateJson', ...readBody(BODY_BYTES, { form: false }), updateJson);

  router.get('/variables.json', (_req, res) => {
    res.setHeader('etag', settings.etag);
    res.json(settings.masked());
  });

  router.get('/brokerSettings', (req, res) => void res.type('html').send(renderSettings(req)));

  const save = saveForm({ settings, isIdle, sections: SETTINGS_SECTIONS, render: renderSettings });
  router.post('/brokerSettings', ...readBody(BODY_BYTES, { form: true }), save);

  router.post('/brokerSettings/test', ...readBody(BODY_BYTES, { form: true }), async (req, res) => {
    const mqtt: unknown = req.body.mqtt;
    if (typeof mqtt !== 'object' || mqtt === null) {
      throw new GatewayError('INVALID_INPUT', 'send the mqtt section as {"mqtt": {…}}', { field: 'mqtt' });
    }
    res.json(await deps.testBroker(mqtt));
  });
  return router;
}
